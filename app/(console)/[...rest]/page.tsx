import type { Metadata } from "next";
import { notFound } from "next/navigation";

export const metadata: Metadata = { title: "Not found" };

/** At an unknown address a signed-in visitor gets "not found" inside the console's frame. */
export default function UnknownPage() {
  notFound();
}
