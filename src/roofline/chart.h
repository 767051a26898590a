// SPDX-License-Identifier: MIT
// Diagrams with two axes as SVG. Colours follow the reader's preference for light or dark pages.
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
  /// Colours are numbers of a palette of eight that repeats.
  Chart(std::string title, Axis x, Axis y);
  void line(const std::vector<Point> &points, unsigned colour, const std::string &legend, bool dots = true,
            bool dashed = false);
  void dot(Point point, unsigned colour, const std::string &tip);
  /// At a point; `rotated` along a line that rises as x does.
  void label(Point point, const std::string &text, unsigned colour, bool rotated = false, bool atEnd = false);
  /// A vertical mark.
  void mark(double x, const std::string &text);
  /// A line of text below the title.
  void subtitle(const std::string &text) { subtitle_ = text; }

  std::string svg() const;

private:
  double horizontal(double x) const;
  double vertical(double y) const;
  std::string axes() const;

  std::string title_, subtitle_;
  Axis x_, y_;
  std::string body_;
  std::vector<std::pair<unsigned, std::string>> legend_;
};

/// Text with the characters that SVG reserves replaced.
std::string escaped(const std::string &text);

/// "48 KiB".
std::string bytesText(double bytes);

} // namespace hiplz::roofline
