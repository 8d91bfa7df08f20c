#include "grid/grid_reference.hpp"

namespace reference {
namespace {

using posenc::RotaryGridPreset;
using Angles = std::vector<Quad>;

Angles joined(std::initializer_list<Angles> parts) {
  Angles all;
  for (const Angles& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

/// pi times n numbers from 1 to last, at equal distances or ratios, times the coordinate.
Angles pixels(Quad coordinate, std::size_t n, Quad last, bool ratios) {
  Angles angles;
  for (std::size_t i = 0; i < n; ++i) {
    const Quad part = n == 1 ? Quad{0} : static_cast<Quad>(i) / static_cast<Quad>(n - 1);
    angles.push_back(pi() * coordinate * (ratios ? power(last, part) : 1 + part * (last - 1)));
  }
  return angles;
}

/// The frequencies of all dimensions, every second from `first` on.
Angles every_second(const Angles& all, std::size_t first) {
  Angles taken;
  for (std::size_t i = first; i < all.size(); i += 2) taken.push_back(all[i]);
  return taken;
}

Angles times(const Angles& angles, Quad factor) {
  Angles scaled;
  for (const Quad angle : angles) scaled.push_back(angle * factor);
  return scaled;
}

}  // namespace

void add_halves(DimAngles& dims, const Angles& angles) {
  const std::size_t first = dims.angles.size();
  const std::size_t half = angles.size();
  for (std::size_t l = 0; l < 2 * half; ++l) {
    dims.angles.push_back(angles[l % half]);
    dims.partners.push_back(l < half ? Partner{first + l + half, -1} : Partner{first + l - half, 1});
  }
}

void add_neighbours(DimAngles& dims, const Angles& angles) {
  const std::size_t first = dims.angles.size();
  for (std::size_t l = 0; l < 2 * angles.size(); ++l) {
    dims.angles.push_back(angles[l / 2]);
    dims.partners.push_back(l % 2 == 0 ? Partner{first + l + 1, -1} : Partner{first + l - 1, 1});
  }
}

Angles ladder(Quad coordinate, std::size_t dims, double base) {
  Angles angles;
  for (std::size_t i = 0; 2 * i < dims; ++i)
    angles.push_back(coordinate * power(base, -2 * static_cast<Quad>(i) / static_cast<Quad>(dims)));
  return angles;
}

DimAngles preset_dims(RotaryGridPreset preset, std::size_t dim, std::span<const Quad> p) {
  DimAngles dims;
  const std::size_t half = dim / 2;
  switch (preset) {
    case RotaryGridPreset::axial:  // with Layout::half
    case RotaryGridPreset::qwen2_vl:
      add_halves(dims, joined({ladder(p[0], half, 10000), ladder(p[1], half, 10000)}));
      break;
    case RotaryGridPreset::pixtral:
      add_halves(dims, joined({every_second(ladder(p[0], dim, 10000), 0), every_second(ladder(p[1], dim, 10000), 1)}));
      break;
    case RotaryGridPreset::dinov3:
      add_halves(dims, times(joined({ladder(p[0], half, 100), ladder(p[1], half, 100)}), 2 * pi()));
      break;
    case RotaryGridPreset::llama4:
      add_neighbours(dims, joined({ladder(p[1], half, 10000), ladder(p[0], half, 10000)}));
      break;
    case RotaryGridPreset::rope_vit:
      add_neighbours(dims, joined({ladder(p[1], half, 100), ladder(p[0], half, 100)}));
      break;
    case RotaryGridPreset::timm:
    case RotaryGridPreset::lucidrains:
      add_neighbours(dims, joined({ladder(p[0], half, 10000), ladder(p[1], half, 10000)}));
      break;
    case RotaryGridPreset::timm_pixel:
      add_neighbours(dims, joined({pixels(p[0], dim / 4, 112, true), pixels(p[1], dim / 4, 112, true)}));
      break;
    case RotaryGridPreset::lucidrains_pixel:
      add_neighbours(dims, joined({pixels(p[0], dim / 4, 5, false), pixels(p[1], dim / 4, 5, false)}));
      break;
    case RotaryGridPreset::croco:
      add_halves(dims, ladder(p[0], half, 100));
      add_halves(dims, ladder(p[1], half, 100));
      break;
    case RotaryGridPreset::wan: {
      const std::size_t side = dim / 6 * 2;
      add_neighbours(
          dims, joined({ladder(p[0], dim - 2 * side, 10000), ladder(p[1], side, 10000), ladder(p[2], side, 10000)}));
      break;
    }
    case RotaryGridPreset::cogvideox:
      add_neighbours(dims, joined({ladder(p[0], dim / 4, 10000), ladder(p[1], dim / 8 * 3, 10000),
                                   ladder(p[2], dim / 8 * 3, 10000)}));
      break;
    case RotaryGridPreset::hunyuan_video:
      add_neighbours(dims, joined({ladder(p[0], 16, 256), ladder(p[1], 56, 256), ladder(p[2], 56, 256)}));
      break;
    case RotaryGridPreset::flux:
      add_neighbours(dims, joined({ladder(p[0], 16, 10000), ladder(p[1], 56, 10000), ladder(p[2], 56, 10000)}));
      break;
  }
  return dims;
}

std::vector<Bounded> rotated_dims(const DimAngles& dims, std::span<const float> head, posenc::Direction direction) {
  const bool forward = direction == posenc::Direction::forward;
  std::vector<Bounded> result;
  for (const float value : head) result.push_back({.exact = value, .tolerance = 0});
  for (std::size_t l = 0; l < dims.angles.size(); ++l) {
    const Phase rotation = phase(dims.angles[l]);
    const Quad own = head[l];
    const Quad other = head[dims.partners[l].dimension];
    const Quad sine = forward ? rotation.sine : -rotation.sine;
    result[l] = {own * rotation.cosine + dims.partners[l].sign * other * sine,
                 3 * unit * static_cast<double>(magnitude(own) + magnitude(other))};
  }
  return result;
}

Quad preset_coordinate(RotaryGridPreset preset, std::size_t i, std::size_t n) {
  const auto index = static_cast<Quad>(i);
  const auto count = static_cast<Quad>(n);
  if (preset == RotaryGridPreset::dinov3) return 2 * ((index + 0.5) / count) - 1;
  if (preset == RotaryGridPreset::llama4) return index + 1;
  if (preset == RotaryGridPreset::timm_pixel || preset == RotaryGridPreset::lucidrains_pixel)
    return n == 1 ? Quad{-1} : -1 + 2 * index / (count - 1);
  return index;
}

}  // namespace reference
