/** What a change of the instance's configuration answers, with the id by which it can be undone; null: it cannot. */
export interface Changed<Data> {
  data: Data;
  changeId: string | null;
}
