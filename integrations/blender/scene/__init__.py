# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene file that supple runs."""
