import type { EndpointHealth } from "#contract/webhook.ts";

export interface SparkBar {
  at: string;
  delivered: number;
  failed: number;
  x: number;
  width: number;
  /** Heights in the drawing's own units, failed standing on delivered. */
  deliveredHeight: number;
  failedHeight: number;
}

/** Stacked bars, one per hour, scaled to the busiest hour; an hour with anything is at least one unit high. */
export function sparkBars(hourly: EndpointHealth["hourly"], width: number, height: number): SparkBar[] {
  const busiest = Math.max(1, ...hourly.map((hour) => hour.delivered + hour.failed));
  const step = width / Math.max(1, hourly.length);
  const scale = (count: number) => (count === 0 ? 0 : Math.max(1, (count / busiest) * height));
  return hourly.map((hour, index) => {
    const failedHeight = Math.min(height, scale(hour.failed));
    return {
      ...hour,
      x: index * step,
      width: Math.max(1, step - 1),
      deliveredHeight: Math.min(height - failedHeight, scale(hour.delivered)),
      failedHeight,
    };
  });
}

/** The chart in words, for screen readers. */
export function sparkSummary(hourly: EndpointHealth["hourly"]): string {
  const delivered = hourly.reduce((sum, hour) => sum + hour.delivered, 0);
  const failed = hourly.reduce((sum, hour) => sum + hour.failed, 0);
  if (delivered + failed === 0) return "No attempts in the last 24 hours";
  return `Last 24 hours: ${delivered} accepted, ${failed} failed`;
}
