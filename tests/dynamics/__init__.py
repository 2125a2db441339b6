"""Random mechanisms run in three ways, and held against Newton and Euler."""
