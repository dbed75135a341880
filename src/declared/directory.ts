/** The files of a directory: which of them declare something, and the texts that they name beside them. */
import { lstatSync, type Stats, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { documentsOf, MAX_FILE_BYTES, type FoundObject } from "./documents.ts";
import { wrong, type FilePlace, type Problem } from "./problem.ts";

/** Files of one directory, and their bytes. */
const MAX_FILES = 50_000;
const MAX_BYTES = 128 * 1024 * 1024;
const MAX_DEPTH = 32;

/** A directory that is being read. */
export interface Directory {
  /** Path of the directory, without links. */
  readonly root: string;
  /** All objects that its files declare, in order of the names of the files. */
  objects(note: (problem: Problem) => void): Generator<FoundObject>;
  /**
   * Returns the text of a file that one of them names, relative to that one.
   *
   * @throws DeclarationError when it lies outside, or cannot be read
   */
  text(named: string, by: FilePlace): string;
}

/** Opens a directory, or a single file. @throws DeclarationError when there is none */
export function openDirectory(path: string): Directory {
  const given = resolve(path);
  const isFile = isThere(given, path) === "file";
  const root = realpathSync(isFile ? dirname(given) : given);
  let bytes = 0;
  const readText = (file: string, place?: FilePlace): string => {
    const found = statSync(join(root, file));
    if (!found.isFile()) throw wrong(`${file} is not a file`, place ?? startOf(file));
    const { size } = found;
    if (size > MAX_FILE_BYTES)
      throw wrong(`the file has ${size} bytes: maximum ${MAX_FILE_BYTES}`, place ?? startOf(file));
    if ((bytes += size) > MAX_BYTES) throw wrong(`the files exceed ${MAX_BYTES} bytes in total`, place);
    return readFileSync(join(root, file), "utf8");
  };
  return {
    root,
    *objects(note) {
      const files = isFile ? [relative(root, realpathSync(given))] : listFiles(root);
      for (const file of files) {
        let text: string;
        try {
          text = readText(file);
        } catch (error) {
          note({ place: startOf(file), message: messageOf(error) });
          continue;
        }
        yield* documentsOf(file, text, note);
      }
    },
    text(named, by) {
      const target = resolve(root, dirname(by.file), named);
      if (isAbsolute(named) || !isWithin(root, target)) throw wrong(`${named} is outside of the directory`, by);
      const hidden = relative(root, target).split(sep).find(isHidden);
      if (hidden !== undefined) throw wrong(`${named} is hidden (${hidden}) and cannot be used`, by);
      try {
        const real = realpathSync(target);
        if (!isWithin(root, real)) throw wrong(`${named} links out of the directory`, by);
        if (relative(root, real).split(sep).some(isHidden)) throw wrong(`${named} links to a hidden file`, by);
        return readText(relative(root, real), by);
      } catch (error) {
        if (error instanceof Error && "problems" in error) throw error;
        throw wrong(`cannot read ${named} (${String((error as NodeJS.ErrnoException).code)})`, by);
      }
    },
  };
}

/** Checks for a hidden file or folder. Repositories and tools have such ones, and they may contain credentials. */
export function isHidden(part: string): boolean {
  return part.startsWith(".");
}

function isThere(path: string, said: string): "file" | "directory" {
  try {
    return statSync(path).isDirectory() ? "directory" : "file";
  } catch (error) {
    throw wrong(`cannot read ${said} (${String((error as NodeJS.ErrnoException).code)})`);
  }
}

/** Whether a path lies in a folder; links are not looked at. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

/** Hidden files and folders, and those of packages, declare nothing; links to folders are not followed. */
function listFiles(root: string): string[] {
  const files: string[] = [];
  const walk = (folder: string, depth: number): void => {
    if (depth > MAX_DEPTH) throw wrong(`${folder} is nested deeper than ${MAX_DEPTH} directories`);
    for (const name of readdirSync(join(root, folder)).toSorted()) {
      if (name.startsWith(".") || name === "node_modules") continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      const found = lstatSync(join(root, path));
      if (found.isDirectory()) walk(path, depth + 1);
      else if (/\.(ya?ml|json)$/i.test(name) && isFileWithin(root, path, found)) files.push(path);
      if (files.length > MAX_FILES) throw wrong(`the directory has more than ${MAX_FILES} files`);
    }
  };
  walk("", 0);
  return files;
}

/**
 * Checks for a file within the directory. A read of anything else with such a name, such as a pipe, could wait without
 * end.
 */
function isFileWithin(root: string, path: string, found: Stats): boolean {
  if (!found.isSymbolicLink()) return found.isFile();
  const real = realpathSync(join(root, path));
  if (!isWithin(root, real)) throw wrong(`${path} links out of the directory`);
  return statSync(real).isFile();
}

function startOf(file: string): FilePlace {
  return { file, line: 1, column: 1 };
}

function messageOf(error: unknown): string {
  if (error instanceof Error && "problems" in error)
    return (error.problems as readonly Problem[])[0]?.message ?? error.message;
  return `cannot read the file (${String((error as NodeJS.ErrnoException).code)})`;
}
