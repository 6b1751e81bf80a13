const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text that is safe in HTML. */
export function safe(text: string): string {
  return text.replaceAll(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign)
}

/** The Markdown of descriptions as HTML: paragraphs, tables and code. */
export function markdown(text: string): string {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => (block.startsWith('|') ? tableOf(block) : `<p>${inline(block)}</p>`))
    .join('')
}

function tableOf(block: string): string {
  const [heads = [], , ...rows] = block.split('\n').map((line) => line.split('|').slice(1, -1))
  const cells = (row: string[], tag: string) => row.map((cell) => `<${tag}>${inline(cell.trim())}</${tag}>`).join('')
  return `<table><thead><tr>${cells(heads, 'th')}</tr></thead><tbody>${rows.map((row) => `<tr>${cells(row, 'td')}</tr>`).join('')}</tbody></table>`
}

function inline(text: string): string {
  return safe(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')
}
