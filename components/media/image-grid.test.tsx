import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, describe, expect, it } from "vitest";
import { ImageGrid } from "./image-grid.tsx";

const images = [1, 2, 3].map((n) => ({
  url: `http://g/${n}.png`,
  width: 100,
  height: 50,
  alt: `Output ${n}`,
}));

afterEach(cleanup);

describe("ImageGrid", () => {
  it("reserves the space of each image by its aspect ratio", () => {
    render(<ImageGrid images={images} />);
    const image = screen.getByAltText("Output 2");
    expect([image.getAttribute("width"), image.getAttribute("height")]).toEqual(["100", "50"]);
  });

  it("lets the browser choose between preview and full picture, and works without a preview that fails", () => {
    const image = { url: "http://g/1.png", preview: "http://g/p", width: 2048, height: 1024, alt: "Output" };
    render(<ImageGrid images={[image]} />);
    const first = screen.getByAltText("Output");
    expect(first.getAttribute("srcset")).toBe("http://g/p 512w, http://g/1.png 2048w");
    fireEvent.error(first);
    expect(screen.getByAltText("Output").getAttribute("srcset")).toBeNull();
    expect(screen.getByAltText("Output").getAttribute("src")).toBe("http://g/1.png");
  });

  it("opens the chosen image, and arrow keys move through the images and around the ends", async () => {
    const user = userEvent.setup();
    render(<ImageGrid images={images} />);
    await user.click(screen.getByRole("button", { name: "Open Output 3" }));
    await screen.findByText("3 of 3");
    await user.keyboard("{ArrowRight}");
    expect(screen.getByText("1 of 3")).toBeTruthy();
    await user.keyboard("{ArrowLeft}{ArrowLeft}");
    expect(screen.getByText("2 of 3")).toBeTruthy();
  });

  it("zooms with keys and buttons, and fits again", async () => {
    const user = userEvent.setup();
    render(<ImageGrid images={images} />);
    await user.click(screen.getByRole("button", { name: "Open Output 1" }));
    await screen.findByText("Fit");
    await user.keyboard("+++");
    expect(screen.getByText("200 %")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Zoom out" }));
    expect(screen.getByText("100 %")).toBeTruthy();
    await user.keyboard("0");
    expect(screen.getByText("Fit")).toBeTruthy();
  });

  it("compares two images with a slider", async () => {
    const user = userEvent.setup();
    render(<ImageGrid images={images} />);
    await user.click(screen.getByRole("button", { name: "Compare" }));
    expect((await screen.findByRole("slider")).getAttribute("aria-valuetext")).toBe("50 % of Output 1");
    expect(screen.getByRole("heading").textContent).toBe("Output 1 against Output 2");
  });

  it("offers no comparison for a single image, and closes", async () => {
    const user = userEvent.setup();
    render(<ImageGrid images={images.slice(0, 1)} />);
    expect(screen.queryByRole("button", { name: "Compare" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Open Output 1" }));
    await user.click(await screen.findByRole("button", { name: "Close" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });
});
