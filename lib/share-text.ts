/** A share as a percentage. A small share is never rounded to zero. */
export function shareText(part: number, whole: number): string {
  if (part === 0 || whole === 0) return "0 %";
  const percent = (part / whole) * 100;
  return percent < 0.1 ? "< 0.1 %" : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
}
