import { ObjectSkeleton } from "./skeletons.tsx";

/** A screen that is still being read. */
export function ScreenPending() {
  return <ObjectSkeleton />;
}
