// SPDX-License-Identifier: MIT
// Diagrams with two logarithmic axes as SVG. Ink follows the reader's preference for light or dark pages. Labels find a place
// of their own: inside the frame, and not on another label or on a measured point.
#pragma once
#include <string>
#include <vector>

namespace hiplz::roofline {

class Chart {
public:
  struct Axis {
    std::string title;
    double low = 1, high = 10; ///< logarithmic, so above zero
    bool bytes = false;        ///< ticks are powers of two, as KiB and MiB
  };
  struct Point {
    double x, y;
  };
  /// Colours are numbers of a palette of ten that repeats.
  Chart(std::string title, Axis x, Axis y);
  void line(const std::vector<Point> &points, unsigned colour, const std::string &legend, bool dots = true,
            bool dashed = false);
  /// A measured point in the colour of the ink; `marker` is a number of eight shapes that repeat. `tip` shows under the pointer,
  /// and `tag`, if it is not empty, beside the point.
  void dot(Point point, unsigned marker, const std::string &tip, const std::string &tag = {});
  /// A line of the legend for the points with this marker.
  void legendOfDots(unsigned marker, const std::string &text);
  /// Names a straight line, along it and as near to `to` as there is room. Without any room only the legend names it.
  void labelLine(Point from, Point to, const std::string &text, unsigned colour);
  /// A vertical mark.
  void mark(double x, const std::string &text);
  /// One or two lines of text below the title.
  void subtitle(const std::string &text, const std::string &second = {}) {
    subtitle_ = text;
    note_ = second;
  }

  std::string svg() const;

private:
  struct Pixel {
    double x, y;
  };
  // A text whose baseline begins at a place and has a direction; a class of the style or a colour is its `fill`.
  struct Label {
    Pixel begin;
    double angle; // radians, clockwise
    std::string text, fill;
  };
  // A text that is placed when everything that it must not cover is known: beside a point, or along a line.
  struct Wanted {
    Pixel from, to;
    std::string text, fill;
  };
  double horizontal(double x) const;
  double vertical(double y) const;
  std::string axes() const;
  std::string placed() const;
  bool fits(const Label &label, const std::vector<Pixel> &taken) const;

  std::string title_, subtitle_, note_;
  Axis x_, y_;
  std::string body_;
  std::vector<Pixel> taken_; // what labels keep away from
  std::vector<Wanted> tags_, names_;
  std::vector<std::string> legend_; // the sign, without its place, and the text
};

/// "48 KiB".
std::string bytesText(double bytes);

} // namespace hiplz::roofline
