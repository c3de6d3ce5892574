interface Options {
  /** Concurrent jobs. */
  atOnce: number;
  waitingPerGroup: number;
  /** Waiting jobs in total. */
  waiting: number;
  /** The error for work that is rejected because the queue is full. */
  refuse: () => Error;
}

interface Waiter {
  begin: () => void;
  reject: (error: Error) => void;
}

/**
 * Runs expensive work, a few jobs at a time. Waiting groups take turns, so that a busy group delays the
 * others by at most one turn. When the queue is full, the group with the most waiting jobs loses its newest.
 */
export class FairQueue {
  private running = 0;
  private waiting = 0;
  /** Lists are never empty; the first group has the next turn. */
  private readonly groups = new Map<string, Waiter[]>();
  private readonly options: Options;

  constructor(options: Options) {
    this.options = options;
  }

  /** Runs the work when it is its group's turn. Throws the error of `refuse` if the queue is full. */
  async run<Result>(group: string, work: () => Promise<Result>): Promise<Result> {
    if (this.running < this.options.atOnce) this.running += 1;
    else await this.turn(group);
    try {
      return await work();
    } finally {
      this.passOn();
    }
  }

  private turn(group: string): Promise<void> {
    const { waitingPerGroup, waiting, refuse } = this.options;
    const own = this.groups.get(group)?.length ?? 0;
    if (own >= waitingPerGroup) throw refuse();
    if (this.waiting >= waiting) this.dropFromLongest(own);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { begin: resolve, reject };
    const line = this.groups.get(group);
    if (line) line.push(waiter);
    else this.groups.set(group, [waiter]);
    this.waiting += 1;
    return promise;
  }

  /**
   * Makes room for a group with `own` waiting jobs by dropping a job of another group that has at least two
   * more. Throws if no group has.
   */
  private dropFromLongest(own: number): void {
    let longest: Waiter[] = [];
    for (const line of this.groups.values()) if (line.length > longest.length) longest = line;
    if (longest.length <= own + 1) throw this.options.refuse();
    longest.pop()?.reject(this.options.refuse());
    this.waiting -= 1;
  }

  /** A finished job passes its slot to the next group, which then queues behind the others. */
  private passOn(): void {
    const [next] = this.groups;
    if (!next) {
      this.running -= 1;
      return;
    }
    const [group, line] = next;
    const waiter = line.shift();
    this.groups.delete(group);
    if (line.length > 0) this.groups.set(group, line);
    this.waiting -= 1;
    waiter?.begin();
  }
}

/** An account may start another run while it holds fewer than this many times the free slots. */
const freeTimes = 3;

/** Whether an account that holds `own` slots may take another: no account takes the last free slots. */
export function mayTakeSlot(free: number, own: number): boolean {
  return own < freeTimes * free;
}

/**
 * How many more slots an account may take if it holds `own` and `free` are free. A single account gets three
 * quarters of all slots; with several, each gets less, so that a slot stays free for the next account with
 * work.
 */
export function fairShare(free: number, own: number): number {
  if (free <= 0) return 0;
  return Math.max(0, Math.ceil((freeTimes * free - own + freeTimes + 1) / (freeTimes + 1)) - 1);
}

/**
 * SQL that finds the values of `column` with waiting jobs. It skips through the queue's index, which begins with
 * the column and has this condition, so that a long queue of one value costs no more than a short one.
 */
export function waitingSql(table: string, column: string, condition: string): string {
  return `with recursive waiting as (
  (select ${column} from ${table} where ${condition} order by ${column} limit 1)
  union all
  select (select q.${column} from ${table} q where ${condition} and q.${column} > w.${column}
          order by q.${column} limit 1)
  from waiting w where w.${column} is not null
)`;
}

/**
 * `fairShare` in SQL, for accounts that hold no slots. `free` is the query parameter with the number of free
 * slots, which the accounts found by the query share.
 */
export function fairShareSql(free: string): string {
  return `greatest(1, (${freeTimes} * ${free} + ${freeTimes}) / (1 + ${freeTimes} * count(*) over ()))`;
}
