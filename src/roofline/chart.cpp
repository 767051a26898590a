// SPDX-License-Identifier: MIT
#include "roofline/chart.h"
#include "base/format.h"
#include "base/xml.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace hiplz::roofline {

namespace {

constexpr double kLeft = 70, kTop = 64, kWidth = 560, kHeight = 360, kRight = 240, kBottom = 56;

constexpr double kLetter = 8, kLetterHeight = 12; // of a bold letter of a label, in pixels, at most

// Readable on white and on black; the ink changes with the page. Labels have a rim of the page's colour, so that lines which
// they cross do not strike them through.
constexpr const char *kStyle =
    "<style>.i{fill:#3c4248}.f{stroke:#3c4248}.g{stroke:#3c4248;stroke-opacity:.18}"
    ".l{font-weight:bold;stroke:#fff;stroke-width:3;stroke-linejoin:round;paint-order:stroke}"
    "@media(prefers-color-scheme:dark){.i{fill:#c8ced4}.f{stroke:#c8ced4}.g{stroke:#c8ced4;stroke-opacity:.22}"
    ".l{stroke:#0d1117}}</style>\n";
constexpr const char *kPalette[] = {"#3b82c4", "#d97a2b", "#4a9a5b", "#b4509a", "#c0443c",
                                    "#8a7a2a", "#3f9ea8", "#7a68c8", "#a0522d", "#d6609a"};

const char *colourOf(unsigned number) { return kPalette[number % std::size(kPalette)]; }

double widthOf(const std::string &text) { return kLetter * static_cast<double>(text.size()); }

} // namespace

std::string bytesText(double bytes) {
  const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit)
    bytes /= 1024;
  return format("%.3g %s", bytes, units[unit]);
}

static std::string legendText(const std::string &text) {
  return "<text class=\"i\" x=\"18\" font-size=\"11\">" + xmlEscaped(text) + "</text>";
}

Chart::Chart(std::string title, Axis x, Axis y) : title_(std::move(title)), x_(std::move(x)), y_(std::move(y)) {
  for (Axis *axis : {&x_, &y_}) {
    axis->low = std::max(axis->low, 1e-12);
    axis->high = std::max(axis->high, axis->low * 1.01);
  }
}

double Chart::horizontal(double x) const {
  const double share = std::log(x / x_.low) / std::log(x_.high / x_.low);
  return kLeft + kWidth * std::clamp(share, 0.0, 1.0);
}

double Chart::vertical(double y) const {
  const double share = std::log(y / y_.low) / std::log(y_.high / y_.low);
  return kTop + kHeight * (1 - std::clamp(share, 0.0, 1.0));
}

void Chart::line(const std::vector<Point> &points, unsigned colour, const std::string &legend, bool dots, bool dashed) {
  std::string path;
  for (const Point &point : points)
    path += format("%s%.1f,%.1f", path.empty() ? "" : " ", horizontal(point.x), vertical(point.y));
  body_ += format("<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"", colourOf(colour),
                  dashed ? " stroke-dasharray=\"6 4\"" : "") +
           path + "\"/>\n";
  if (dots)
    for (const Point &point : points)
      body_ += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>", horizontal(point.x),
                      vertical(point.y), colourOf(colour)) +
               xmlEscaped(legend + format(": %.4g", point.y)) + "</title></circle>\n";
  if (!legend.empty())
    legend_.push_back(format("<rect width=\"12\" height=\"4\" y=\"-6\" fill=\"%s\"/>", colourOf(colour)) +
                      legendText(legend));
}

// `tip` shows under the pointer.
static std::string markerAt(unsigned number, double x, double y, const std::string &tip) {
  struct Outline {
    double x, y; // where it begins, from the middle
    const char *lines;
  };
  static constexpr Outline kOutlines[] = {{0, -5, "l4.5 8h-9z"},
                                          {-3.5, -3.5, "h7v7h-7z"},
                                          {0, -4.5, "l4.5 4.5l-4.5 4.5l-4.5 -4.5z"},
                                          {0, 5, "l4.5 -8h-9z"},
                                          {-1.5, -5, "h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z"},
                                          {5, 0, "l-8 4.5v-9z"},
                                          {-5, 0, "l8 4.5v-9z"}};
  const char *shape = "circle";
  std::string place = format("cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"", x, y);
  number %= std::size(kOutlines) + 1;
  if (number > 0) {
    const Outline &outline = kOutlines[number - 1];
    shape = "path";
    place = format("d=\"M%.1f %.1f%s\"", x + outline.x, y + outline.y, outline.lines);
  }
  return format("<%s class=\"i\" %s><title>", shape, place.c_str()) + xmlEscaped(tip) + format("</title></%s>", shape);
}

void Chart::dot(Point point, unsigned number, const std::string &tip, const std::string &tag) {
  const Pixel at = {horizontal(point.x), vertical(point.y)};
  body_ += markerAt(number, at.x, at.y, tip) + "\n";
  taken_.push_back(at);
  if (!tag.empty())
    tags_.push_back({at, at, tag, "class=\"i l\""});
}

void Chart::legendOfDots(unsigned number, const std::string &text) {
  legend_.push_back(markerAt(number, 6, -4, text) + legendText(text));
}

void Chart::labelLine(Point from, Point to, const std::string &text, unsigned colour) {
  names_.push_back({{horizontal(from.x), vertical(from.y)},
                    {horizontal(to.x), vertical(to.y)},
                    text,
                    format("class=\"l\" fill=\"%s\"", colourOf(colour))});
}

// Texts are taken for rows of squares as large as a letter.
template <typename Visit> static void eachLetter(double x, double y, double angle, size_t count, Visit visit) {
  for (size_t i = 0; i < count; ++i) {
    const double along = kLetter * (static_cast<double>(i) + 0.5), up = -kLetterHeight / 3;
    visit(x + along * std::cos(angle) - up * std::sin(angle), y + along * std::sin(angle) + up * std::cos(angle));
  }
}

bool Chart::fits(const Label &label, const std::vector<Pixel> &taken) const {
  bool free = true;
  eachLetter(label.begin.x, label.begin.y, label.angle, label.text.size(), [&](double x, double y) {
    const double rim = kLetterHeight / 2;
    free = free && x > kLeft + rim && x < kLeft + kWidth - rim && y > kTop + rim && y < kTop + kHeight - rim &&
           std::ranges::none_of(
               taken, [&](const Pixel &other) { return std::hypot(other.x - x, other.y - y) < kLetterHeight; });
  });
  return free;
}

// Points have few places for their tags, so these come first.
std::string Chart::placed() const {
  std::string out;
  std::vector<Pixel> taken = taken_;
  const auto put = [&](const Label &label) {
    eachLetter(label.begin.x, label.begin.y, label.angle, label.text.size(), [&](double x, double y) {
      taken.push_back({x, y});
    });
    out += format("<text x=\"%.1f\" y=\"%.1f\" %s", label.begin.x, label.begin.y, label.fill.c_str());
    if (label.angle != 0)
      out += format(" transform=\"rotate(%.2f %.1f %.1f)\"", label.angle * 180 / M_PI, label.begin.x, label.begin.y);
    out += ">" + xmlEscaped(label.text) + "</text>\n";
  };
  for (const Wanted &tag : tags_) {
    const double x = tag.from.x, y = tag.from.y, wide = widthOf(tag.text);
    const double right = x + 9, left = x - 9 - wide, middle = x - wide / 2, level = y + 4;
    const Pixel places[] = {{right, level},     {left, level},      {middle, y - 9},   {middle, y + 18},
                            {right, level - 9}, {right, level + 9}, {left, level - 9}, {left, level + 9}};
    for (const Pixel &place : places)
      if (const Label label = {place, 0, tag.text, tag.fill}; fits(label, taken)) {
        put(label);
        break;
      }
  }
  for (const Wanted &name : names_) {
    constexpr double kStep = 6, kAbove = 5, kBelow = 15;
    const double dx = name.to.x - name.from.x, dy = name.to.y - name.from.y, length = std::hypot(dx, dy);
    const double angle = std::atan2(dy, dx), room = length - widthOf(name.text);
    const auto find = [&] {
      for (const double off : {-kAbove, kBelow})
        for (double at = room; at > 0; at -= kStep)
          if (const Label label = {{name.from.x + at * std::cos(angle) - off * std::sin(angle),
                                    name.from.y + at * std::sin(angle) + off * std::cos(angle)},
                                   angle,
                                   name.text,
                                   name.fill};
              fits(label, taken))
            return put(label);
    };
    find();
  }
  return out;
}

void Chart::mark(double x, const std::string &text) {
  const double at = horizontal(x);
  body_ += format("<line class=\"f\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-dasharray=\"2 4\"/>\n", at,
                  kTop, at, kTop + kHeight);
  // The text stands left of the line near the foot, where curves of latency and bandwidth rarely go, or right of it at the frame.
  const bool room = at - kLeft > widthOf(text) + 8;
  body_ += format("<text class=\"i l\" x=\"%.1f\" y=\"%.1f\" font-size=\"11\"%s>", room ? at - 4 : at + 4,
                  kTop + kHeight - 6, room ? " text-anchor=\"end\"" : "") +
           xmlEscaped(text) + "</text>\n";
}

std::string Chart::axes() const {
  std::string out;
  const double bottom = kTop + kHeight, right = kLeft + kWidth;
  const auto ticks = [](const Axis &axis) {
    std::vector<double> values;
    const double base = axis.bytes ? 4 : 10;
    for (double value = std::pow(base, std::ceil(std::log(axis.low) / std::log(base) - 1e-9));
         value <= axis.high * 1.0001; value *= base)
      values.push_back(value);
    if (!axis.bytes && values.size() < 4) { // few powers of ten: two and five between them
      const std::vector<double> tens = values;
      for (const double ten : tens)
        for (const double factor : {0.2, 0.5, 2.0, 5.0})
          if (const double value = ten * factor; value > axis.low && value < axis.high)
            values.push_back(value);
      std::ranges::sort(values);
      values.erase(std::unique(values.begin(), values.end(), [](double a, double b) { return b < a * 1.01; }),
                   values.end());
    }
    return values;
  };
  const auto text = [](const Axis &axis, double value) { return axis.bytes ? bytesText(value) : format("%g", value); };
  for (const double value : ticks(x_)) {
    const double x = horizontal(value);
    out += format("<line class=\"g\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", x, kTop, x, bottom);
    out += format("<text class=\"i\" x=\"%.1f\" y=\"%.1f\" font-size=\"%d\" text-anchor=\"middle\">%s</text>\n", x,
                  bottom + 16, x_.bytes ? 10 : 12, text(x_, value).c_str());
  }
  for (const double value : ticks(y_)) {
    const double y = vertical(value);
    out += format("<line class=\"g\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n", kLeft, y, right, y);
    out += format("<text class=\"i\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", kLeft - 6, y + 4,
                  text(y_, value).c_str());
  }
  out += format("<rect class=\"f\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\"/>\n", kLeft, kTop,
                kWidth, kHeight);
  out += format("<text class=\"i\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%s</text>\n", kLeft + kWidth / 2,
                bottom + 40, xmlEscaped(x_.title).c_str());
  out += format(
      "<text class=\"i\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\">%s</text>\n",
      18.0, kTop + kHeight / 2, 18.0, kTop + kHeight / 2, xmlEscaped(y_.title).c_str());
  return out;
}

std::string Chart::svg() const {
  const double width = kLeft + kWidth + kRight, height = kTop + kHeight + kBottom;
  std::string out = format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" "
                           "font-size=\"12\">\n",
                           width, height) +
                    kStyle;
  out += format("<text class=\"i\" x=\"%g\" y=\"22\" font-size=\"15\" font-weight=\"bold\">", kLeft) +
         xmlEscaped(title_) + "</text>\n";
  double line = 42;
  for (const std::string &text : {subtitle_, note_}) {
    out +=
        format("<text class=\"i\" x=\"%g\" y=\"%g\" font-size=\"11\">", kLeft, line) + xmlEscaped(text) + "</text>\n";
    line += 15;
  }
  out += axes() + body_ + placed();
  double y = kTop + 10;
  for (const std::string &entry : legend_) {
    out += format("<g transform=\"translate(%g %g)\">", kLeft + kWidth + 12, y) + entry + "</g>\n";
    y += 17;
  }
  return out + "</svg>\n";
}

} // namespace hiplz::roofline
