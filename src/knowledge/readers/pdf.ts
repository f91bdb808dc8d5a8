/** Reads PDF files page by page with an optional library. */
import { KeepsakeError } from '../../kernel/errors.ts';
import { loadPackage } from '../../runtime/load-package.ts';

interface PdfDocument {
  readonly numPages: number;
}

/** What we use of `unpdf`. */
export interface PdfLibrary {
  getDocumentProxy(data: Uint8Array, options: { verbosity: number }): Promise<PdfDocument>;
  extractText(document: PdfDocument, options: { mergePages: false }): Promise<{ text: string[] }>;
}

/** Errors are thrown; what the library prints besides would end up between our own lines. */
const SILENT = { verbosity: 0 };

export async function pdfPages(
  bytes: Uint8Array,
  load: () => Promise<PdfLibrary> = async () => loadPackage<PdfLibrary>('unpdf'),
): Promise<readonly string[]> {
  const { getDocumentProxy, extractText } = await load().catch((cause: unknown) => {
    throw new KeepsakeError('UNSUPPORTED', 'Reading PDF needs the package unpdf: npm install unpdf', {
      cause,
    });
  });
  try {
    // A copy, because the library takes the memory that it is given away from its owner.
    const document = await getDocumentProxy(new Uint8Array(bytes), SILENT);
    return (await extractText(document, { mergePages: false })).text;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new KeepsakeError('INVALID_INPUT', `It is not a readable PDF: ${reason}`, { cause });
  }
}
