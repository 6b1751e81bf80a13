const RUN = 'window.hacked=1'

/** Elements and attributes with a script that would run if parsed as HTML. */
const ELEMENTS = [
  `<script>${RUN}</script>`,
  `<ScRiPt >${RUN}</sCrIpT>`,
  `<img src=x onerror=${RUN}>`,
  `<img/src=x/onerror=${RUN}//`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x>`,
  `<math><mtext><img src=x onerror=${RUN}>`,
  `<iframe srcdoc="<script>top.hacked=1</script>">`,
  `<object data="data:text/html,<script>1</script>">`,
  `<video src=x onerror=${RUN}>`,
  `<audio src=x onerror=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<input autofocus onfocus=${RUN}>`,
  `<marquee onstart=${RUN}>`,
  `<body onload=${RUN}>`,
  `<a href="javascript:${RUN}">link</a>`,
  `<form action="javascript:${RUN}"><button>go`,
  `<base href="https://evil.example/">`,
  `<meta http-equiv=refresh content="0;url=//evil.example">`,
  `<link rel=stylesheet href="//evil.example/x.css">`,
  `<style>*{display:none}</style>`,
]

/** Contexts that a text has to leave first: an attribute, another element, a comment, a script. */
const EXITS = ['', `">`, `'>`, `</textarea>`, `--></title>`]

const TEMPLATES = ['${7*7}', '#{7*7}', '<%= 7*7 %>', '[[${7*7}]]', '{{7*7}}', '{% assign x = 7 %}', '*{7*7}', '@(7*7)']

const OTHERS = [
  `javascript:${RUN}`,
  `" onmouseover="${RUN}`,
  `' onfocus='${RUN}' autofocus='`,
  '&lt;script&gt;&#x3C;b&#x3E;&amp;&nbsp;',
  '\\u003cscript\\u003e \\x3cb\\x3e %3Cscript%3E',
  'left \u200Fto right\u200E end',
  '\u05E9\u05DC\u05D5\u05DD\u200E \u0645\u0631\u062D\u0628\u0627\u061C end',
  'zero\u200Bwidth\u200Djoined\u2060word',
  'cafe\u0301 \u{1F469}\u200D\u{1F469}\u200D\u{1F467} \u{1F3F4}',
  `H${'\u0321\u0317'.repeat(30)}e`,
  'W'.repeat(120),
  '\uFF1Cscript\uFF1E full width',
  'null undefined NaN [object Object]',
  '__proto__ constructor toString',
  "Robert'); DROP TABLE tenants;--",
  '=HYPERLINK("https://evil.example")',
  '../../etc/passwd C:\\windows\\win.ini',
  '%00 %0d%0aSet-Cookie: a=b',
  '😀 表 ｗ Ω ≈ ç √ ∫',
]

/** Texts that a console must show unchanged: 137 of them, each at most 120 characters long. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...EXITS.flatMap((exit) => ELEMENTS.map((element) => exit + element)),
  ...TEMPLATES,
  ...OTHERS,
]
