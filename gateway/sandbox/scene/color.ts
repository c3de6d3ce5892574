/** A colour as red, green and blue, 0..255. */
export type Rgb = readonly [number, number, number];

export function hex(text: string): Rgb {
  const value = Number.parseInt(text.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** From `one` (0) to `other` (1), mixed in linear light so that the middle is not muddy. */
export function mix(one: Rgb, other: Rgb, amount: number): Rgb {
  const part = Math.min(1, Math.max(0, amount));
  const channel = (index: 0 | 1 | 2) => Math.sqrt(one[index] ** 2 * (1 - part) + other[index] ** 2 * part);
  return [channel(0), channel(1), channel(2)];
}

export function css(color: Rgb, alpha = 1): string {
  const [red, green, blue] = color.map(Math.round);
  return `rgba(${red},${green},${blue},${Math.round(alpha * 1000) / 1000})`;
}

/** Hue in degrees, saturation and lightness 0..1. */
export function hsl(hue: number, saturation: number, lightness: number): Rgb {
  const chroma = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const position = (offset + hue / 30) % 12;
    return 255 * (lightness - chroma * Math.max(-1, Math.min(position - 3, 9 - position, 1)));
  };
  return [channel(0), channel(8), channel(4)];
}

export const white: Rgb = [255, 255, 255];
export const black: Rgb = [0, 0, 0];
