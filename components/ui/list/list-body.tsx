import type { ReactNode } from "react";
import type { List } from "#contract/list.ts";
import { LoadFailure } from "@/components/ui/page/error-panel";
import type { GatewayResult } from "@/lib/gateway/result";
import { Pager, type TotalOf } from "./pager.tsx";

interface ListBodyProps<Row> {
  answer: GatewayResult<List<Row>>;
  total?: TotalOf;
  /** Shown if the gateway does not have this list. */
  notOffered?: ReactNode;
  /** Shown if the list has no rows. */
  empty: ReactNode;
  /** Whether other rows are being loaded. */
  busy?: boolean;
  children: (rows: Row[]) => ReactNode;
}

/** The rows of a list with their pager, or the reason why there are none. */
export function ListBody<Row>({ answer, total, notOffered, empty, busy, children }: ListBodyProps<Row>) {
  if (!answer.ok)
    return answer.error.code === "route_not_found" && notOffered ? (
      notOffered
    ) : (
      <LoadFailure error={answer.error} />
    );
  if (answer.data.data.length === 0) return empty;
  return (
    <div aria-busy={busy}>
      {children(answer.data.data)}
      <Pager list={answer.data} {...(total && { total })} />
    </div>
  );
}
