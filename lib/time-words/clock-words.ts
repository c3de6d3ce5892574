/** A time of day, or a part of one, that a text begins or ends with. */
export interface ClockWords {
  /** Minutes after midnight. */
  from: number;
  /** Of a part of the day its end; null: a time. */
  to: number | null;
  /** The text without it. */
  rest: string;
}

const hour = 60;
const partsOfDay: Record<string, [from: number, to: number]> = {
  morning: [6 * hour, 12 * hour],
  afternoon: [12 * hour, 18 * hour],
  evening: [18 * hour, 24 * hour],
};
const named: Record<string, number> = { noon: 12 * hour, midday: 12 * hour, midnight: 0 };

const clock = String.raw`(?<hours>\d{1,2})(?:[:.](?<minutes>\d{2}))?\s*(?<half>am|pm|a\.m\.|p\.m\.)?`;
const atStart = new RegExp(`^${clock}(?![\\w.])`);
const atEnd = new RegExp(`(?<![\\w.:])${clock}$`);
const aName = new RegExp(`\\b(${[...Object.keys(partsOfDay), ...Object.keys(named)].join("|")})\\b`);

/** `14:00`, `2 pm`, `noon`, `morning`: null where the text has none. A bare number is an hour only where `bare` says so. */
export function findClock(text: string, bare = false): ClockWords | null {
  const name = aName.exec(text)?.[1];
  if (name !== undefined) {
    const rest = text.replace(name, " ").replace(/\s+/g, " ").trim();
    const part = partsOfDay[name];
    return part ? { from: part[0], to: part[1], rest } : { from: named[name] ?? 0, to: null, rest };
  }
  for (const pattern of [atEnd, atStart]) {
    const found = pattern.exec(text);
    if (!found?.groups) continue;
    const { hours = "", minutes, half } = found.groups;
    // `24.11` is a day.
    const isTime = half !== undefined || found[0].includes(":") || (bare && found[0] === text);
    const from = isTime ? minutesOf(Number(hours), Number(minutes ?? 0), half?.[0]) : null;
    if (from !== null) return { from, to: null, rest: text.replace(found[0], " ").trim() };
  }
  return null;
}

function minutesOf(hours: number, minutes: number, half: string | undefined): number | null {
  if (minutes > 59 || hours > (half ? 12 : 24) || (half && hours === 0)) return null;
  if (hours === 24 && minutes > 0) return null;
  const inDay = half ? (hours % 12) + (half === "p" ? 12 : 0) : hours;
  return inDay * hour + minutes;
}
