"use client";

import dynamic from "next/dynamic";

// Every page loads this file, so the words for unknown ids are loaded only when something is missing.
const Missing = dynamic(() => import("@/components/shell/missing").then((module) => module.Missing), {
  loading: () => null,
});

export default function ConsoleNotFound() {
  return <Missing />;
}
