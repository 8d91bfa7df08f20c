import math

import torch


def numbers(values):
    return torch.tensor(values, dtype=torch.float64)


def sinusoid(positions, dim, base, scale=1):
    power = 2 * torch.arange((dim + 1) // 2, dtype=torch.float64) / dim
    angles = numbers(positions)[:, None] * (scale * base**-power)
    rows = torch.stack((torch.sin(angles), torch.cos(angles)), dim=-1).reshape(len(positions), -1)
    return rows[:, :dim].to(torch.float32)  # the last sine of an odd row has no cosine


def base_frequencies(dim, base, exponent_dim=None):
    return base ** (-2 * torch.arange(dim // 2, dtype=torch.float64) / (exponent_dim or dim))


def rotate(x, angles, layout):  # x [rows, dim], angles [rows, dim / 2]
    cos, sin = torch.cos(angles).to(torch.float32), torch.sin(angles).to(torch.float32)
    half = x.shape[1] // 2
    a, b = (x[:, :half], x[:, half:]) if layout == "half" else (x[:, 0::2], x[:, 1::2])
    a, b = a * cos - b * sin, a * sin + b * cos
    return torch.cat((a, b), dim=-1) if layout == "half" else torch.stack((a, b), dim=-1).reshape(x.shape)


def rotate_by_positions(x, positions, base, layout):
    return rotate(x, numbers(positions)[:, None] * base_frequencies(x.shape[1], base), layout)


def rotate_by_degrees(x, degrees, layout):  # x [rows, 2]
    return rotate(x, torch.deg2rad(numbers(degrees))[:, None], layout)


def rotate_by_points(x, points, base):  # points (y, x): each rotates half of the pairs
    angles = numbers(points)[:, :, None] * base_frequencies(x.shape[1] // 2, base)
    return rotate(x, angles.reshape(len(points), -1), "interleaved")


def attention(query, key, value):
    scores = query @ key.T / query.shape[1] ** 0.5
    weights = torch.softmax(scores, dim=-1)
    return weights, weights @ value


def offsets(size):  # key - query
    i = torch.arange(size, dtype=torch.float64)
    return i[None, :] - i[:, None]


def t5_buckets(size, buckets, max_distance, bidirectional):
    offset = offsets(size)
    distance = torch.abs(offset) if bidirectional else torch.clip(-offset, 0, None)
    count = buckets // 2 if bidirectional else buckets
    near = count // 2  # these distances have a bucket each, farther ones share theirs by the logarithm
    ratio = torch.log(torch.clip(distance, near, None) / near) / math.log(max_distance / near)
    # The logarithm of an exact power may fall short of it: 1e-9 makes up for that.
    far = torch.clip(near + torch.floor(ratio * (count - near) + 1e-9), 0, count - 1)
    bucket = torch.where(distance < near, distance, far)
    return bucket + count * (offset > 0) if bidirectional else bucket


def alibi(heads, size):  # [heads, queries, keys]
    power = 2 ** int(math.log2(heads))
    slopes = [2 ** (-8 * (head + 1) / power) for head in range(power)]
    slopes += [2 ** (-8 * (head + 0.5) / power) for head in range(heads - power)]
    return (-numbers(slopes)[:, None, None] * torch.abs(offsets(size))).to(torch.float32)


def linear_frequencies(dim, base, factor, exponent_dim=None):
    return base_frequencies(dim, base, exponent_dim) / factor


def ntk_frequencies(dim, base, factor, exponent_dim=None):
    d = exponent_dim or dim
    return base_frequencies(dim, base * factor ** (d / (d - 2)), d)


def dynamic_frequencies(dim, base, factor, original_length, length, exponent_dim=None):
    stretch = factor * max(length, original_length) / original_length - (factor - 1)
    return ntk_frequencies(dim, base, stretch, exponent_dim)


def yarn_frequencies(
    dim, base, factor, original_length, beta_fast=32, beta_slow=1, truncate=True, exponent_dim=None
):
    d = exponent_dim or dim

    def pair(rotations):  # the index of the pair that rotates so many times within the original length
        return d * math.log(original_length / (2 * math.pi * rotations)) / (2 * math.log(base))

    low, high = pair(beta_fast), pair(beta_slow)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    low, high = max(low, 0), min(high, d - 1)
    kept = 1 - torch.clip((torch.arange(dim // 2, dtype=torch.float64) - low) / (high - low or 0.001), 0, 1)
    return base_frequencies(dim, base, exponent_dim) * (kept + (1 - kept) / factor)


def llama3_frequencies(
    dim, base, factor, original_length, low_frequency_factor=1, high_frequency_factor=4, exponent_dim=None
):
    frequencies = base_frequencies(dim, base, exponent_dim)
    rotations = original_length * frequencies / (2 * math.pi)
    width = high_frequency_factor - low_frequency_factor
    kept = torch.clip((rotations - low_frequency_factor) / width, 0, 1) if width else 1.0 * (rotations >= high_frequency_factor)
    return frequencies * (kept + (1 - kept) / factor)


def longrope_frequencies(dim, base, factors, exponent_dim=None):
    return base_frequencies(dim, base, exponent_dim) / numbers(factors)


def proportional_frequencies(dim, base, factor=1, fraction=1, exponent_dim=None):
    rotates = torch.arange(dim // 2) < int(fraction * (dim // 2))
    return base_frequencies(dim, base, exponent_dim) / factor * rotates


def mrope_positions(before, rows, columns, after):  # [time, row and column; tokens]
    ids = [[i, i, i] for i in range(before)]
    ids += [[before, before + y, before + x] for y in range(rows) for x in range(columns)]
    start = before + max(rows, columns)
    ids += [[i, i, i] for i in range(start, start + after)]
    return torch.tensor(ids, dtype=torch.float32).T


def exact_cos_sin(position, dim, base):  # [cosines and sines; pairs]
    angles = position * base_frequencies(dim, base)
    return torch.stack((torch.cos(angles), torch.sin(angles)))


def float32_cos_sin(position, dim, base):  # as modeling_rope_utils.py of transformers
    exponents = torch.arange(0, dim, 2, dtype=torch.float32) / dim
    inv_freq = 1 / (base ** exponents.to(torch.float64)).to(torch.float32)
    angles = (position * inv_freq).to(torch.float64)  # the product is rounded to float32
    return torch.stack((torch.cos(angles), torch.sin(angles)))
