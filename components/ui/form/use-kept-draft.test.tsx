import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { useKeptDraft } from "./use-kept-draft.ts";

let stored: string | null = null;
const initial = () => "";
const load = () => stored;
const save = (value: string) => {
  stored = value;
  return true;
};

function Page({ name }: { name: string }) {
  const { draft, change } = useKeptDraft({ initial, load, save });
  return (
    <label>
      {name}
      <input value={draft} onChange={(event) => change(event.target.value)} />
    </label>
  );
}

it("the next page has the last words, even if they were typed just before the click", () => {
  const view = render(<Page key="one" name="Prompt" />);
  fireEvent.change(screen.getByLabelText("Prompt"), { target: { value: "boats in a harbour" } });
  view.rerender(<Page key="two" name="Prompt or text" />);
  expect(screen.getByLabelText<HTMLInputElement>("Prompt or text").value).toBe("boats in a harbour");
});
