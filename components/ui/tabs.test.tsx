import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { afterEach, expect, it } from "vitest";
import { Tabs } from "./tabs.tsx";

afterEach(cleanup);

function Sample() {
  const [value, setValue] = useState("one");
  return (
    <Tabs
      value={value}
      onChange={setValue}
      tabs={["one", "two", "three"].map((name) => ({ value: name, label: name, content: `side ${name}` }))}
    />
  );
}

it("moves by arrow keys, Home and End, around the ends", async () => {
  const user = userEvent.setup();
  render(<Sample />);
  await user.click(screen.getByRole("tab", { name: "one" }));
  await user.keyboard("{ArrowLeft}");
  expect(screen.getByRole("tab", { name: "three" })).toBe(document.activeElement);
  expect(screen.getByRole("tabpanel").textContent).toBe("side three");
  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("two");
  await user.keyboard("{End}");
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("three");
  await user.keyboard("{Home}");
  expect(screen.getByRole("tab", { selected: true }).textContent).toBe("one");
});

it("lets Tab reach only the chosen tab", () => {
  render(<Sample />);
  expect(screen.getAllByRole("tab").map((tab) => tab.tabIndex)).toEqual([0, -1, -1]);
});
