/** The reason why a schema is refused. `place` is a JSON pointer into the original schema. */
export class Refusal extends Error {
  readonly place: string;
  readonly reason: string;

  constructor(place: string, reason: string) {
    super(reason);
    this.place = place;
    this.reason = reason;
  }
}
