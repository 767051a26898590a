// SPDX-License-Identifier: MIT
#include "roofline/chart.h"
#include "base/format.h"

#include <algorithm>
#include <cmath>

namespace hiplz::roofline {

namespace {

constexpr double kLeft = 70, kTop = 64, kWidth = 560, kHeight = 360, kRight = 240, kBottom = 56;

// Readable on white and on black; the ink changes with the page.
constexpr const char *kStyle = "<style>.i{fill:#3c4248}.f{stroke:#3c4248}.g{stroke:#3c4248;stroke-opacity:.18}"
                               "@media(prefers-color-scheme:dark){.i{fill:#c8ced4}.f{stroke:#c8ced4}.g{stroke:#c8ced4;"
                               "stroke-opacity:.22}}</style>\n";
constexpr const char *kPalette[] = {"#3b82c4", "#d97a2b", "#4a9a5b", "#b4509a",
                                    "#c0443c", "#8a7a2a", "#3f9ea8", "#7a68c8"};

const char *colourOf(unsigned number) { return kPalette[number % std::size(kPalette)]; }

} // namespace

std::string escaped(const std::string &text) {
  std::string out;
  for (const char c : text)
    switch (c) {
    case '&': out += "&amp;"; break;
    case '<': out += "&lt;"; break;
    case '>': out += "&gt;"; break;
    case '"': out += "&quot;"; break;
    default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  return out;
}

std::string bytesText(double bytes) {
  const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
  unsigned unit = 0;
  for (; bytes >= 1024 && unit + 1 < std::size(units); ++unit)
    bytes /= 1024;
  return format("%.3g %s", bytes, units[unit]);
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
      dot(point, colour, legend + format(": %.4g", point.y));
  if (!legend.empty())
    legend_.emplace_back(colour, legend);
}

void Chart::dot(Point point, unsigned colour, const std::string &tip) {
  body_ += format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"><title>", horizontal(point.x), vertical(point.y),
                  colourOf(colour)) +
           escaped(tip) + "</title></circle>\n";
}

void Chart::label(Point point, const std::string &text, unsigned colour, bool rotated, bool atEnd) {
  const double x = horizontal(point.x), y = vertical(point.y) - 5;
  // In a diagram with two logarithmic axes lines through the origin have one slope.
  const double angle =
      rotated ? -std::atan2(kHeight / std::log(y_.high / y_.low), kWidth / std::log(x_.high / x_.low)) * 180 / M_PI : 0;
  body_ += format("<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\" font-weight=\"bold\"%s%s>", x, y, colourOf(colour),
                  rotated ? format(" transform=\"rotate(%.2f %.1f %.1f)\"", angle, x, y).c_str() : "",
                  atEnd ? " text-anchor=\"end\"" : "") +
           escaped(text) + "</text>\n";
}

void Chart::mark(double x, const std::string &text) {
  const double at = horizontal(x);
  body_ += format("<line class=\"f\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-dasharray=\"2 4\"/>\n"
                  "<text class=\"i\" x=\"%.1f\" y=\"%.1f\" font-size=\"10\" text-anchor=\"end\">",
                  at, kTop, at, kTop + kHeight, at - 4, kTop + 12) +
           escaped(text) + "</text>\n";
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
                bottom + 40, escaped(x_.title).c_str());
  out += format(
      "<text class=\"i\" x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\">%s</text>\n",
      18.0, kTop + kHeight / 2, 18.0, kTop + kHeight / 2, escaped(y_.title).c_str());
  return out;
}

std::string Chart::svg() const {
  const double width = kLeft + kWidth + kRight, height = kTop + kHeight + kBottom;
  std::string out = format("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" "
                           "font-size=\"12\">\n",
                           width, height) +
                    kStyle;
  out += format("<text class=\"i\" x=\"%g\" y=\"22\" font-size=\"15\" font-weight=\"bold\">", kLeft) + escaped(title_) +
         "</text>\n";
  out += format("<text class=\"i\" x=\"%g\" y=\"42\" font-size=\"11\">", kLeft) + escaped(subtitle_) + "</text>\n";
  out += axes() + body_;
  double y = kTop + 10;
  for (const auto &[colour, text] : legend_) {
    out += format("<rect x=\"%g\" y=\"%g\" width=\"12\" height=\"4\" fill=\"%s\"/>\n", kLeft + kWidth + 12, y - 6,
                  colourOf(colour));
    out += format("<text class=\"i\" x=\"%g\" y=\"%g\" font-size=\"11\">", kLeft + kWidth + 30, y) + escaped(text) +
           "</text>\n";
    y += 17;
  }
  return out + "</svg>\n";
}

} // namespace hiplz::roofline
