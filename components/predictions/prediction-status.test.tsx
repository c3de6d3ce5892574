import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { WordsContext } from "@/components/words/words-provider";
import { compiledPart } from "@/messages/compile";
import { PredictionStatus } from "./prediction-status.tsx";

it("shows a status and what it means in the reader's language", () => {
  render(
    <WordsContext value={{ language: "zh-CN", messages: { states: compiledPart("zh-CN", "states") } }}>
      <PredictionStatus status="processing" progress={40} />
    </WordsContext>,
  );
  expect(screen.getByText("处理中 40%")).toBeDefined();
  expect(screen.getByTitle("提供方正在处理输入")).toBeDefined();
});
