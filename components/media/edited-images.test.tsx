import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { queryKeys } from "@/lib/query-keys";
import { EditedImages } from "./edited-images.tsx";

const baseUrl = "http://g/v1";
const stored = `${baseUrl}/files/inputs/pred_1/0?expires=1&signature=x`;
const result = (n: number) => ({ url: `http://g/${n}.png`, width: 320, height: 180, alt: `Output ${n}` });

afterEach(cleanup);

function show(images: number[], input: object, example = {}, client = new QueryClient()) {
  render(
    <QueryClientProvider client={client}>
      <EditedImages images={images.map(result)} input={{ ...input }} example={example} baseUrl={baseUrl} />
    </QueryClientProvider>,
  );
}

it("lays one result under the photo that it began with, and a key moves the line between them", () => {
  show([1], { prompt: "snow", image: [stored] });
  expect(screen.getByAltText("Input image").getAttribute("src")).toBe(stored);
  expect(screen.getByAltText("Output 1")).toBeTruthy();
  const line = screen.getByRole("slider");
  expect(line.getAttribute("aria-valuetext")).toBe("50 % of Input image");
  fireEvent.change(line, { target: { value: "80" } });
  expect(line.getAttribute("aria-valuetext")).toBe("80 % of Input image");
});

it("shows the photo beside several results, and only the results when it is gone", () => {
  show([1, 2], { image: stored });
  expect(screen.getAllByRole("img").map((image) => image.getAttribute("alt"))).toEqual([
    "Input image",
    "Output 1",
    "Output 2",
  ]);
  cleanup();
  show([1], { image: "https://elsewhere.example/photo.png" });
  expect(screen.queryByAltText("Input image")).toBeNull();
  expect(screen.getByAltText("Output 1")).toBeTruthy();
});

it("says whose picture it is: the example's, or one that a person uploaded", () => {
  const example = { image: ["data:image/png;base64,AAAA"] };
  show([1], example, example);
  expect(screen.getByAltText("Example image")).toBeTruthy();
  cleanup();
  const id = "upl_01jd0000000000000000000001";
  const client = new QueryClient({ defaultOptions: { queries: { staleTime: Number.POSITIVE_INFINITY } } });
  const upload = { id, status: "verified", filename: "cat.png", content_type: "image/png", size_bytes: 9 };
  client.setQueryData(queryKeys.upload(id), {
    ...upload,
    download_url: "http://g/cat.png",
    preview_url: null,
  });
  show([1], { image: [`upload://${id}`] }, example, client);
  expect(screen.getByAltText("Your photo").getAttribute("src")).toBe("http://g/cat.png");
});
