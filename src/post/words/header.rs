//! Where another's letter begins without a mark on each line: its head copied into the text, or a line that says so.

use std::sync::LazyLock;

use super::attribution::{has_address, has_address_or_date, has_moment};
use super::fold::Phrases;

/// The lines of a letter's head that clients copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Field {
    From,
    Date,
    To,
    Subject,
    Other,
}

static FIELDS: LazyLock<[(Field, Phrases); 5]> = LazyLock::new(|| {
    [
        (
            Field::From,
            Phrases::new(
                "from|od|nadawca|von|de|expéditeur|da|mittente|van|от|от кого|отправитель|från|fra|lähettäjä|feladó|\
                 odosielateľ|від|发件人|寄件者|寄件人|差出人|보낸 사람|보낸사람|absender|remitente|remetente|afzender|avsändare|avsender|afsender|gönderen|kimden",
            ),
        ),
        (
            Field::Date,
            Phrases::new(
                "date|sent|sent at|data|wysłano|wysłane|data wysłania|gesendet|datum|gesendet am|envoyé|envoyé le|fecha|\
                 enviado|enviado el|enviada|enviada em|enviado em|inviato|verzonden|verstuurd|дата|отправлено|\
                 дата отправки|skickat|sendt|dato|lähetetty|päiväys|päivä|päivämäärä|odesláno|odoslané|dátum|küldve|\
                 надіслано|tarih|gönderildi|发送时间|发件时间|日期|时间|寄件日期|送信日時|日時|보낸 날짜|날짜",
            ),
        ),
        (
            Field::To,
            Phrases::new(
                "to|do|an|à|a|para|per|aan|кому|till|til|vastaanottaja|komu|címzett|destinataire|destinatario|odbiorca|adresat|\
                 empfänger|pro|kime|收件人|收件者|宛先|받는 사람|받는사람",
            ),
        ),
        (
            Field::Subject,
            Phrases::new(
                "subject|temat|betreff|objet|asunto|oggetto|ogg|onderwerp|assunto|тема|ämne|emne|aihe|otsikko|předmět|\
                 predmet|tárgy|sujet|konu|тема|主题|主旨|件名|제목",
            ),
        ),
        (
            Field::Other,
            Phrases::new(
                "cc|dw|udw|bcc|kopia|do wiadomości|kopie|copie|copie à|копия|kopio|kopi|reply-to|odpowiedz do|antwort an|\
                 répondre à|responder a|rispondi a|beantwoorden|attachments|załączniki|anlagen|importance|ważność|\
                 wichtigkeit|抄送|참조|priority|priorytet|organization|resent-from|newsgroups|mailed-by|message-id|envoyé par",
            ),
        ),
    ]
});

/// What stands between the dashes above another's letter.
static ORIGINALS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "original message|original mail|mail original|e-mail original|original email|original appointment|reply message|original-nachricht|\
         originalnachricht|antwort nachricht|ursprüngliche nachricht|ursprüngliche mail|ursprüngliche e-mail|wiadomość oryginalna|\
         oryginalna wiadomość|wiadomość pierwotna|pierwotna wiadomość|treść oryginalnej wiadomości|\
         message d'origine|message original|message initial|message originel|courriel original|mensaje original|\
         messaggio originale|messaggio d'origine|oorspronkelijk bericht|origineel bericht|oorspronkelijke bericht|\
         mensagem original|исходное сообщение|оригинальное сообщение|исходное письмо|ursprungligt meddelande|\
         originalmeddelande|opprinnelig melding|originalmelding|oprindelig meddelelse|original meddelelse|\
         alkuperäinen viesti|původní zpráva|pôvodná správa|eredeti üzenet|вихідне повідомлення|original besked|\
         oprindelig besked|reply above this line|mensaje citado|原始邮件|原始郵件|원본 메시지|元のメッセージ",
    )
});

/// What stands between the dashes above a letter that is passed on.
static FORWARDS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "forwarded message|forwarded mail|forwarded email|forwarded letter|przekazana wiadomość|wiadomość przekazana|\
         przekazana wiadomość e-mail|treść przekazanej wiadomości|przesłana wiadomość|wiadomość przesłana dalej|\
         wiadomość przekazana dalej|przekierowana wiadomość|przesyłana dalej wiadomość|\
         weitergeleitete nachricht|weitergeleitete mail|weitergeleitete e-mail|message transféré|message transmis|\
         message réexpédié|message transfére|courriel transféré|mensaje reenviado|mensaje reexpedido|\
         messaggio inoltrato|messaggio rinviato|doorgestuurd bericht|mensagem encaminhada|mensagem reencaminhada|\
         пересылаемое сообщение|пересланное сообщение|переадресованное сообщение|пересылаемое письмо|\
         vidarebefordrat meddelande|vidarebefordrat brev|vidaresänt meddelande|videresendt melding|\
         videresendt besked|videresendt meddelelse|välitetty viesti|edelleenlähetetty viesti|\
         přeposlaná zpráva|preposlaná správa|továbbított üzenet|переслане повідомлення",
    )
});

/// The whole line above a letter that is passed on, with a colon.
static FORWARD_LINES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "begin forwarded message|początek przekazanej wiadomości|początek wiadomości przekazanej dalej|\
         początek wiadomości przekazanej|wiadomość przekazana dalej|anfang der weitergeleiteten nachricht|\
         anfang der weitergeleiteten e-mail|début du message réexpédié|début du message transféré|\
         inicio del mensaje reenviado|inizio messaggio inoltrato|inizio del messaggio inoltrato|\
         begin doorgestuurd bericht|início da mensagem encaminhada|início da mensagem reencaminhada|\
         начало переадресованного сообщения|начало пересылаемого сообщения|vidarebefordrat brev|\
         vidarebefordrat mejl|vidarebefordrat meddelande|videresendt besked|start på videresendt besked|\
         videresendt melding|start på videresendt melding|välitetty viesti alkaa|välitetty viesti|\
         začátek přeposlané zprávy|továbbított üzenet kezdete",
    )
});

/// Whether this line says that another's letter follows.
pub(super) fn is_original_mark(folded: &str) -> bool {
    between_dashes(folded).is_some_and(|text| ORIGINALS.has(text))
}

/// Whether this line says that a letter is passed on.
pub(super) fn is_forward_mark(folded: &str) -> bool {
    match between_dashes(folded) {
        Some(text) => {
            FORWARDS.has(text) || text.starts_with("forwarded message from ") || text.starts_with("forwarded by ")
        }
        None => folded.strip_suffix(':').is_some_and(|text| FORWARD_LINES.has(text.trim_end())),
    }
}

/// What stands between dashes, at least two on each side or five before it.
fn between_dashes(folded: &str) -> Option<&str> {
    const DASHES: [char; 4] = ['-', '_', '=', '*'];
    let folded = folded.trim_start_matches(['>', ' ']);
    let inner = folded.trim_start_matches(DASHES);
    let before = folded.len() - inner.len();
    let text = inner.trim_end_matches(DASHES);
    let after = inner.len() - text.len();
    let text = text.trim().trim_end_matches(':').trim_end();
    (!text.is_empty() && ((before >= 2 && after >= 2) || before >= 5)).then_some(text)
}

/// A line of dashes, underscores or the like and nothing else.
pub(super) fn is_rule(folded: &str) -> bool {
    folded.len() >= 3
        && folded.bytes().all(|byte| matches!(byte, b'-' | b'_' | b'=' | b'*' | b'~' | b' ' | b'#' | b'.'))
        && folded.bytes().filter(|byte| matches!(byte, b'-' | b'_' | b'=' | b'*' | b'~')).count() >= 3
}

/// Which line of a head this is.
pub(super) fn field(folded: &str) -> Option<Field> {
    let text = folded.trim_start_matches(['*', '_', '|', ' ', '>']);
    let (name, _) = text.split_once(':')?;
    if name.len() > 24 {
        return None;
    }
    let name = name.trim_matches(['*', '_', ' ', '|']);
    FIELDS.iter().find(|(_, names)| names.has(name)).map(|(field, _)| *field)
}

/// Whether a line has the form of a line of a head, in whatever language.
pub(super) fn is_like_header(folded: &str) -> bool {
    folded.split_once(':').is_some_and(|(name, value)| {
        !name.is_empty() && name.len() <= 24 && name.split(' ').count() <= 3 && !value.trim().is_empty()
    })
}

/// How many of these lines are the head of a letter; none if they are not one. Where something has already said that a
/// letter follows, less is enough.
pub(super) fn block<'a>(lines: impl Iterator<Item = &'a str>, announced: bool) -> usize {
    let mut fields = Vec::new();
    let (mut has_proof, mut proof_between) = (false, false);
    let (mut length, mut stamped) = (0, false);
    // Lines since the last field: the end of a long one, or a blank line where every line is a paragraph.
    let mut between = 0;
    for (number, line) in lines.enumerate() {
        match field(line) {
            Some(Field::Other) if fields.is_empty() => break,
            Some(field) => {
                if fields.contains(&field) && field != Field::Other {
                    break;
                }
                fields.push(field);
                stamped = match field {
                    Field::Date => has_moment(line),
                    Field::From | Field::To => stamped && has_address(line),
                    Field::Subject | Field::Other => stamped,
                };
                has_proof |= has_address_or_date(line) || proof_between;
                (length, between, proof_between) = (number + 1, 0, false);
            }
            None => {
                between += 1;
                proof_between |= has_address_or_date(line);
                if fields.is_empty() || between > if line.is_empty() { 1 } else { 3 } {
                    break;
                }
            }
        }
    }
    // A moment first and an address below it are a head though there are only two lines: nobody dates their orders so.
    let is_stamped = stamped && matches!(fields.as_slice(), [Field::Date, Field::From | Field::To]);
    fields.sort_unstable();
    fields.dedup();
    let enough = if announced { fields.len() >= 2 } else { fields.len() >= 3 && fields.contains(&Field::From) };
    if (enough && has_proof) || is_stamped { length } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::super::fold::fold;
    use super::*;

    fn head(text: &str, announced: bool) -> usize {
        let folded: Vec<String> = text.lines().map(fold).collect();
        block(folded.iter().map(String::as_str), announced)
    }

    #[test]
    fn heads_in_several_languages_are_known() {
        assert_eq!(head("From: Cursus <c@example.org>\nSent: Monday\nTo: Jan\nSubject: Re: x\n\nbody", false), 4);
        assert_eq!(head("*Od:* Cursus\n*Wysłano:* 16 listopada 2026 10:12\n*Do:* Jan\n*Temat:* Re: x", false), 4);
        assert_eq!(
            head("Gesendet: Montag, 16. November 2026 um 10:12 Uhr\nVon: Cursus\nAn: Jan\nBetreff: x", false),
            4
        );
        assert_eq!(
            head("De : Cursus\n\nEnvoyé : lundi 16 novembre 2026 10:12\n\nÀ : Jan\n\nObjet : x\n\nbody", false),
            7
        );
        assert_eq!(head("De: c@example.org\nFecha: 16/11/2026\n\nbody", true), 2);
    }

    #[test]
    fn orders_are_no_head() {
        assert_eq!(head("Do: Thera 3\nOd: Crete", false), 0);
        assert_eq!(head("From: Crete\nTo: Thera\n3 tokens", false), 0);
        assert_eq!(head("Famine: victims Egypt\nFlood: lose Crete 3", false), 0);
    }

    #[test]
    fn marks_need_their_dashes() {
        assert!(is_original_mark(&fold("-----Original Message-----")));
        assert!(is_original_mark(&fold("‐‐‐‐‐‐‐ Original Message ‐‐‐‐‐‐‐")));
        assert!(is_original_mark(&fold("-------- Oryginalna wiadomość --------")));
        assert!(!is_original_mark(&fold("original message")));
        assert!(is_forward_mark(&fold("---------- Forwarded message ---------")));
        assert!(is_forward_mark(&fold("Początek przekazanej wiadomości:")));
        assert!(!is_forward_mark(&fold("forwarded message")));
    }
}
