import type { Metadata } from "next";
import { Missing } from "@/components/shell/missing";

export const metadata: Metadata = { title: "Not found" };

export default function ConsoleNotFound() {
  return <Missing />;
}
