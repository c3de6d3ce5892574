"use client";

import dynamic from "next/dynamic";
import { Skeleton } from "@/components/ui/skeleton";

/** The form engine is the heaviest part of the console: the other sides of an entry do not wait for it. */
export const LazyPlayground = dynamic(
  () => import("@/components/playground/playground").then((module) => module.Playground),
  { loading: () => <Skeleton className="h-96" /> },
);
