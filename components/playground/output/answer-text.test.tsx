import { render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { AnswerText } from "./answer-text.tsx";

vi.mock("./markdown.tsx", () => ({
  Markdown: ({ text }: { text: string }) => {
    if (text.includes("breaks")) throw new RangeError("Maximum call stack size exceeded");
    return <em>{text}</em>;
  },
}));

afterEach(() => vi.restoreAllMocks());

it("shows an answer as Markdown", async () => {
  render(<AnswerText text="fine" />);
  expect((await screen.findByText("fine")).tagName).toBe("EM");
});

it("shows too deeply nested text as plain text", () => {
  render(<AnswerText text={"- ".repeat(2000)} />);
  expect(screen.getByText(/^Shown as plain text/)).toBeDefined();
  expect(screen.getByText(/^- - - /).tagName).toBe("P");
});

it("shows text as plain text when the Markdown renderer fails", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  render(<AnswerText text="an answer that breaks" />);
  expect((await screen.findByText("an answer that breaks")).tagName).toBe("P");
});
