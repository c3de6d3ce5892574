import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { useFocusHandover } from "./use-focus-handover.ts";

afterEach(cleanup);

function RowMenu({ name }: { name: string }) {
  const holder = useFocusHandover<HTMLSpanElement>();
  return (
    <span ref={holder}>
      <button type="button" aria-haspopup="menu">
        {name}
      </button>
    </span>
  );
}

/** Rows in `spent` stay, without a menu. */
function Page({ rows, spent = [] }: { rows: string[]; spent?: string[] }) {
  return (
    <>
      <h1>Keys</h1>
      <table>
        <tbody>
          {rows.map((name) => (
            <tr key={name}>
              <td>{!spent.includes(name) && <RowMenu name={name} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const focused = () => document.activeElement?.textContent;

it("moves to the next row when its own row disappears, and to the previous one at the end", () => {
  const { rerender } = render(<Page rows={["a", "b", "c"]} />);
  screen.getByText("b").focus();
  rerender(<Page rows={["a", "c"]} />);
  expect(focused()).toBe("c");
  rerender(<Page rows={["a"]} />);
  expect(focused()).toBe("a");
});

it("skips rows without a menu, and ends at the heading", () => {
  const { rerender } = render(<Page rows={["a", "b", "c"]} spent={["b"]} />);
  screen.getByText("a").focus();
  rerender(<Page rows={["a", "b", "c"]} spent={["a", "b"]} />);
  expect(focused()).toBe("c");
  rerender(<Page rows={["a", "b", "c"]} spent={["a", "b", "c"]} />);
  expect(focused()).toBe("Keys");
});

it("does not move a focus elsewhere", () => {
  const { rerender } = render(<Page rows={["a", "b", "c"]} />);
  screen.getByText("c").focus();
  rerender(<Page rows={["b", "c"]} />);
  expect(focused()).toBe("c");
});
