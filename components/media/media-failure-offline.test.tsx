import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { VideoPlayer } from "./video-player.tsx";

vi.mock("./media-failure.tsx", () => {
  throw new TypeError("Failed to fetch dynamically imported module");
});
afterEach(cleanup);

it("offers Try again and Download while the connection is lost", async () => {
  render(<VideoPlayer src="http://gateway.example/film.mp4" width={null} height={null} duration={null} />);
  fireEvent.error(screen.getByLabelText("Video"));
  expect((await screen.findByRole("alert")).textContent).toContain("Check your connection");
  expect(screen.getByRole("link", { name: "Download" })).toBeTruthy();
  fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  expect(screen.getByLabelText("Video").getAttribute("src")).toBe("http://gateway.example/film.mp4");
});
