/**
 * One name in the shapes that generated code needs. What could not name a tool (T2) is refused before anything is written.
 */
import { normalizeToKebabOrSnakeCase } from '@nestjs/schematics';
import { nameFault } from '../tools/declaration-checks.js';

/** The shapes of "Order Desk". */
export interface Names {
  /** `order-desk`: files, folders, the gate and its path. */
  readonly file: string;
  /** `OrderDesk`: the beginning of classes. */
  readonly class: string;
  /** `order_desk`: the tool, or the beginning of its name. */
  readonly tool: string;
  /** `ORDER_DESK`: the beginning of environment variables. */
  readonly variable: string;
}

/**
 * Shapes a name.
 *
 * @throws Error when it is no name, or when one of the tools that it names could not be called so.
 */
export function namesOf(given: string, toolsOf: (tool: string) => readonly string[]): Names {
  const words = normalizeToKebabOrSnakeCase(given).split(/[-_.]+/);
  if (!words.every((word) => /^[a-z0-9]+$/.test(word)) || !/^[a-z]/.test(words[0]!)) {
    throw new Error(
      `"${given}" can not name tools and classes: take letters a to z, digits and "-", a letter first, as in "order-desk".`,
    );
  }
  const tool = words.join('_');
  for (const name of toolsOf(tool)) {
    const fault = nameFault(name, false);
    if (fault !== undefined) throw new Error(`"${given}" would name a tool "${name}": ${fault}`);
  }
  return {
    file: words.join('-'),
    class: words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join(''),
    tool,
    variable: tool.toUpperCase(),
  };
}
