/** A text of ten characters, doubled `times` times. */
const doubled = (filter: string, times: number) =>
  `{% assign s = "0123456789" %}${`{% assign s = s | ${filter} %}`.repeat(times)}`
const captured = (times: number) =>
  `{% capture s %}0123456789{% endcapture %}${'{% capture s %}{{ s }}{{ s }}{% endcapture %}'.repeat(times)}`
/** An array nested in itself twice per step: 3^times characters as text. */
const nestedArray = (times: number) =>
  `{% assign a = "a" | split: "," %}${'{% assign a = a | push: a | push: a %}'.repeat(times)}`

/** Templates that would take minutes or gigabytes, including those of LiquidJS's advisories. */
export const HOSTILE_TEMPLATES: Readonly<Record<string, string>> = {
  'a long loop': '{% for i in (1..100000000) %}x{% endfor %}',
  'a long loop around nothing': '{%- for i in (1..100000000) -%}{%- endfor -%}',
  'nested loops':
    '{% for a in (1..9000) %}{% for b in (1..9000) %}{% for c in (1..9000) %}x{% endfor %}{% endfor %}{% endfor %}',
  'nested loops around nothing':
    '{% for a in (1..9000) %}{% for b in (1..9000) %}{% for c in (1..9000) %}{% endfor %}{% endfor %}{% endfor %}',
  'a long table': '{% tablerow i in (1..100000000) cols: 1 %}{% endtablerow %}',
  'a huge range as text': '{{ (1..1000000000) | join: "" }}',
  'a huge range, sorted': '{{ (1..10000000) | sort_natural | reverse | uniq | size }}',
  'a huge range as JSON': '{% assign a = (1..5000000) %}{{ a | json | size }}',
  'doubling by a filter': `${doubled('append: s', 60)}{{ s | size }}`,
  'doubling by capture': `${captured(60)}{{ s | upcase | size }}`,
  'doubling, then counting': `${captured(24)}{{ s | plus: 1 }}`,
  'doubling an array': `${doubled('split: ""', 1)}${'{% assign s = s | concat: s %}'.repeat(60)}{{ s | size }}`,
  'replacing each character by the whole': `${doubled('append: s', 12)}{{ s | replace: "0", s | size }}`,
  'replacing nothing by the whole': `${doubled('append: s', 12)}{{ s | replace: "", s | size }}`,
  'joining by a long text': `${doubled('append: s', 12)}{{ (1..10000) | join: s | size }}`,
  'a wide date': '{{ "2020-01-01" | date: "%1000000000d" | size }}',
  'many wide dates': `{{ "2020-01-01" | date: "${'%9999999d'.repeat(50)}" | size }}`,
  'an array within itself, as text': `${nestedArray(60)}{{ a }}`,
  'an array within itself, joined': `${nestedArray(60)}{{ a | join | size }}`,
  'an array within itself, as JSON': `${nestedArray(60)}{{ a | json | size }}`,
  'a literal in a loop': `{% for i in (1..100000) %}${'x'.repeat(40_000)}{% endfor %}`,
  'many assignments': `{% liquid\n${'assign a = 1\n'.repeat(3_500)}%}{{ a | json | where_exp: "x", "x" }}`,
  'tags within tags': `${'{% if true %}'.repeat(2_000)}${'{% endif %}'.repeat(2_000)}{% fail %}`,
  'loops within loops': `${'{% for i in (1..9) %}'.repeat(1_400)}x${'{% endfor %}'.repeat(1_400)}`,
  'brackets within brackets': `{{ ${'a['.repeat(15_000)}0${']'.repeat(15_000)} }}`,
  'tags that never end': '{% if '.repeat(8_000),
  'outputs that never end': '{{'.repeat(25_000),
  'quotes that never end': `{{ "${'\\"'.repeat(24_000)} }}`,
}

/** Slow for engines with backtracking regular expressions. */
export const SLOW_SEARCHES: Readonly<Record<string, string>> = {
  'many beginnings of HTML': `{% assign s = "<" %}${'{% assign s = s | append: s %}'.repeat(15)}{{ s | strip_html | size }}`,
  'many beginnings of scripts': `{% assign s = "<script" %}${'{% assign s = s | append: s %}'.repeat(12)}{{ s | strip_html | size }}`,
  'many beginnings of comments': `{% assign s = "<!--" %}${'{% assign s = s | append: s %}'.repeat(13)}{{ s | strip_html | size }}`,
  'spaces before a letter': `{% assign s = "          " %}${'{% assign s = s | append: s %}'.repeat(12)}{{ s | append: "x" | rstrip | strip | squish | size }}`,
  'an expression for a text': `${doubled('append: s', 12)}{{ s | replace_first: "(0|1|0)*$", "" | remove: "((0+)+)+$" | size }}`,
}
