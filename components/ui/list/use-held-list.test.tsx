import { act, cleanup, render, screen } from "@testing-library/react";
import { useRef } from "react";
import { afterEach, expect, it } from "vitest";
import type { List } from "#contract/list.ts";
import { useHeldList } from "./use-held-list.ts";

interface Row {
  id: string;
  status: string;
}

function page(ids: string, status: string): List<Row> {
  const data = [...ids].map((id) => ({ id, status }));
  return { object: "list", data, has_more: false, first_id: ids[0] ?? null, last_id: ids.at(-1) ?? null };
}

function Log({ list, at, scope = "" }: { list: List<Row>; at: number; scope?: string }) {
  const container = useRef<HTMLDivElement>(null);
  const held = useHeldList({ list, updatedAtMs: at, scope, container });
  return (
    <>
      <div ref={container}>
        <button type="button">row</button>
        <output>{held.list?.data.map(({ id, status }) => `${id}-${status}`).join(" ")}</output>
      </div>
      {held.waiting > 0 && (
        <button type="button" onClick={held.release}>
          {held.waiting} new
        </button>
      )}
    </>
  );
}

const shown = () => screen.getByRole("status").textContent;

afterEach(cleanup);

it("adds new rows automatically while nobody is reading the list", () => {
  const { rerender } = render(<Log list={page("cba", "old")} at={1} />);
  rerender(<Log list={page("dcb", "new")} at={2} />);
  expect(shown()).toBe("d-new c-new b-new");
});

it("keeps the rows of a reader in place and up to date, until the reader requests the new rows", () => {
  const { rerender } = render(<Log list={page("cba", "old")} at={1} />);
  act(() => screen.getByText("row").focus());
  rerender(<Log list={page("edc", "new")} at={2} />);
  expect(shown()).toBe("c-new b-old a-old");
  act(() => screen.getByText("2 new").click());
  expect(shown()).toBe("e-new d-new c-new");
  expect(screen.queryByText(/new$/, { selector: "button" })).toBeNull();
});

it("shows another filter's rows at once", () => {
  const { rerender } = render(<Log list={page("cba", "old")} at={1} />);
  act(() => screen.getByText("row").focus());
  rerender(<Log list={page("z", "new")} at={2} scope="failed" />);
  expect(shown()).toBe("z-new");
});
