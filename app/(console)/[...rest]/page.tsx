import type { Metadata } from "next";
import { notFound } from "next/navigation";

export const metadata: Metadata = { title: "Not found" };

/** A signed-in visitor at an unknown address gets "not found" inside the console's frame. */
export default function UnknownPage() {
  notFound();
}
