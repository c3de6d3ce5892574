/** The way from a list to the page of a row and back; it lasts for one visit. */
interface Way {
  /** Address of the list as it was left. */
  list: string;
  /** Path of the page that was opened from it. */
  page: string;
}

/** A list that shows its rows later than this has not brought the reader back. */
const returnMs = 10_000;

let way: Way | null = null;
let awaited: { page: string; untilMs: number } | null = null;

const pathOf = (address: string) => address.split(/[?#]/, 1)[0] ?? address;

/** A row is being opened from the list at `list`. */
export function leaveList(list: string, page: string): void {
  way = { list, page: pathOf(page) };
}

/** From the page of one row straight to that of another of the same list. */
export function stepToRow(from: string, to: string): void {
  if (way?.page === pathOf(from)) way = { ...way, page: pathOf(to) };
}

/** The list that the page was opened from, else `list`; its row gets the focus as soon as it is shown. */
export function returnFrom(page: string, list: string): string {
  awaited = { page: pathOf(page), untilMs: Date.now() + returnMs };
  return way?.page === awaited.page ? way.list : list;
}

/** Whether the reader comes back to the row that leads to `page`; answered once. */
export function isReturnedTo(page: string): boolean {
  if (!awaited || awaited.page !== pathOf(page)) return false;
  const inTime = Date.now() < awaited.untilMs;
  awaited = null;
  return inTime;
}
