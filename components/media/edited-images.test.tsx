import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { EditedImages } from "./edited-images.tsx";

const baseUrl = "http://g/v1";
const stored = `${baseUrl}/files/inputs/pred_1/0?expires=1&signature=x`;
const result = (n: number) => ({ url: `http://g/${n}.png`, width: 320, height: 180, alt: `Output ${n}` });

afterEach(cleanup);

function show(images: number[], input: object) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EditedImages images={images.map(result)} input={{ ...input }} baseUrl={baseUrl} />
    </QueryClientProvider>,
  );
}

it("lays one result under the photo that it began with, and a key moves the line between them", () => {
  show([1], { prompt: "snow", image: [stored] });
  expect(screen.getByAltText("Your photo").getAttribute("src")).toBe(stored);
  expect(screen.getByAltText("Output 1")).toBeTruthy();
  const line = screen.getByRole("slider");
  expect(line.getAttribute("aria-valuetext")).toBe("50 % of Your photo");
  fireEvent.change(line, { target: { value: "80" } });
  expect(line.getAttribute("aria-valuetext")).toBe("80 % of Your photo");
});

it("shows the photo beside several results, and only the results when it is gone", () => {
  show([1, 2], { image: stored });
  expect(screen.getAllByRole("img").map((image) => image.getAttribute("alt"))).toEqual([
    "Your photo",
    "Output 1",
    "Output 2",
  ]);
  cleanup();
  show([1], { image: "https://elsewhere.example/photo.png" });
  expect(screen.queryByAltText("Your photo")).toBeNull();
  expect(screen.getByAltText("Output 1")).toBeTruthy();
});
