import type { Metadata } from "next";
import { notFound } from "next/navigation";

export const metadata: Metadata = { title: "Not found" };

/** An unknown address of a signed-in visitor keeps the rail around its "not found". */
export default function UnknownPage() {
  notFound();
}
