import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fontoxpath from 'fontoxpath';
import { type Element, type Node, parseXmlDocument } from 'slimdom';

const { evaluateXPath, evaluateXPathToBoolean, evaluateXPathToNodes } = fontoxpath;
const schematron = 'http://purl.oclc.org/dsdl/schematron';

interface Rule {
  readonly context: string;
  readonly lets: readonly (readonly [string, string])[];
  readonly asserts: readonly { readonly test: string; readonly text: string }[];
}

interface Rules {
  readonly prefixes: Readonly<Record<string, string>>;
  readonly patterns: readonly (readonly Rule[])[];
}

const children = (element: Element, name: string) =>
  element.children.filter(({ localName }) => localName === name);
const attribute = (element: Element, name: string) => element.getAttribute(name) ?? '';

/** The official rules in a compressed Schematron file. */
export function readRules(file: URL): Rules {
  const document = parseXmlDocument(gunzipSync(readFileSync(file)).toString('utf8'));
  const all = (name: string) => [...document.getElementsByTagNameNS(schematron, name)];
  const prefixes = all('ns').map((ns) => [attribute(ns, 'prefix'), attribute(ns, 'uri')]);
  return {
    prefixes: Object.fromEntries(prefixes),
    patterns: all('pattern').map((pattern) =>
      children(pattern, 'rule').map((rule) => ({
        context: attribute(rule, 'context'),
        lets: [...children(pattern, 'let'), ...children(rule, 'let')].map(
          (each) => [attribute(each, 'name'), attribute(each, 'value')] as const,
        ),
        asserts: children(rule, 'assert').map((each) => ({
          test: attribute(each, 'test'),
          text: (each.textContent ?? '').trim(),
        })),
      })),
    ),
  };
}

/** The context of a rule as an expression from the root. A union of plain paths is one of several such paths. */
function fromRoot(context: string): string {
  const parts = context.includes('(') ? [context] : context.split('|');
  return parts.map((part) => (/^\s*\//.test(part) ? part : `//${part.trim()}`)).join(' | ');
}

/**
 * The texts of the rules that a document breaks. The evaluator computes decimals as binary floats, whose sums are inexact.
 * So sums are compared in a copy of the document whose amounts are whole numbers of hundredths.
 */
export function brokenRules(rules: Rules, xml: string): string[] {
  const broken = brokenIn(rules, xml);
  if (broken.length === 0) return [];
  const whole = brokenIn(
    rules,
    xml.replace(
      /(<\w+:\w*Amount\b[^>]*>)(-?\d+)(?:\.(\d\d))?</g,
      (_, tag, units, places = '00') => `${tag}${Number(units + places)}<`,
    ),
  );
  return broken.filter((text) => text.startsWith('[BR-DEC') || whole.includes(text));
}

/** In each pattern the first rule with a node applies to it. */
function brokenIn({ prefixes, patterns }: Rules, xml: string): string[] {
  const document = parseXmlDocument(xml);
  const options = { namespaceResolver: (prefix: string) => prefixes[prefix] ?? null };
  const broken: string[] = [];
  for (const rules of patterns) {
    const seen = new Set<Node>();
    for (const { context, lets, asserts } of rules) {
      const nodes = evaluateXPathToNodes(fromRoot(context), document, null, {}, options);
      for (const node of nodes as Node[]) {
        if (seen.has(node)) continue;
        seen.add(node);
        const values: Record<string, unknown> = {};
        for (const [name, value] of lets) {
          values[name] = evaluateXPath(value, node, null, values, 0, options as never);
        }
        for (const { test, text } of asserts) {
          if (!evaluateXPathToBoolean(test, node, null, values, options)) broken.push(text);
        }
      }
    }
  }
  return broken;
}
