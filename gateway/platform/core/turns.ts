/** Work about the same thing, one after the other, in this process. */
export class Turns {
  private readonly last = new Map<string, Promise<unknown>>();

  /** Runs the work after what came before it for the same key has ended, however it ended. */
  take<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.last.get(key) ?? Promise.resolve()).then(work);
    const ended = turn.catch(() => {}).finally(() => this.last.get(key) === ended && this.last.delete(key));
    this.last.set(key, ended);
    return turn;
  }
}
