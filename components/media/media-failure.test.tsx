import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { AudioPlayer } from "./audio-player.tsx";
import { ImageGrid } from "./image-grid.tsx";
import { VideoPlayer } from "./video-player.tsx";

vi.mock("wavesurfer.js", () => ({ default: { create: () => ({ on: () => {}, destroy: () => {} }) } }));
const requests = vi.fn<typeof fetch>();
beforeEach(() => vi.stubGlobal("fetch", requests));
afterEach(() => {
  cleanup();
  requests.mockReset();
  vi.unstubAllGlobals();
});

const file = "http://gateway.example/v1/files/outputs/pred_1/1.bin";
const fresh = `${file}?signature=new`;
const players = {
  image: () => <ImageGrid images={[{ url: `${file}?signature=old`, width: 1, height: 1, alt: "Output" }]} />,
  audio: () => <AudioPlayer src={`${file}?signature=old`} title="Output" />,
  video: () => (
    <VideoPlayer src={`${file}?signature=old`} title="Output" width={null} height={null} duration={null} />
  ),
};

function answerAs(status: number) {
  requests.mockImplementation(async (url) =>
    String(url).startsWith("/api/gateway")
      ? Response.json({ data: [{ url: fresh }] })
      : new Response(null, { status }),
  );
}

const element = () => document.querySelector("img, audio, video");
const fail = () => fireEvent.error(element() ?? document.body);

it.each(Object.entries(players))("%s: tries a new URL once, then shows the reason", async (_, player) => {
  answerAs(403);
  render(player());
  fail();
  await waitFor(() => expect(element()?.getAttribute("src")).toBe(fresh));
  expect(screen.queryByRole("alert")).toBeNull();
  fail();
  expect((await screen.findByRole("alert")).textContent).toContain("The link has expired.");
  expect(screen.getByRole("link", { name: "Download" }).getAttribute("href")).toBe(fresh);
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(element()?.getAttribute("src")).toBe(fresh));
});

it("notices an image in the server's HTML that failed before React added listeners", async () => {
  const complete = vi.spyOn(HTMLImageElement.prototype, "complete", "get").mockReturnValue(true);
  answerAs(404);
  render(players.image());
  expect((await screen.findByRole("alert")).textContent).toContain("The file was removed.");
  complete.mockRestore();
});

it("names the connection as the reason", async () => {
  requests.mockRejectedValue(new TypeError("Failed to fetch"));
  render(players.image());
  fail();
  expect((await screen.findByRole("alert")).textContent).toContain("Check your connection");
});
