//! What stands below the sender's words and is none of them: signatures, the phone's own line, notices and footers.

use std::sync::LazyLock;

use super::attribution::is_address;
use super::fold::Phrases;
use crate::post::line::is_invisible;

/// How many lines a signature has at most that begins with bare dashes.
const LONGEST_SIGNATURE: usize = 12;

/// How a client says that it sent something. Arabic stands as it is folded, for its first letter becomes a mark.
static SENT: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "sent |wysłan|nadan|gesendet |geschickt |envoyé|enviado |enviada |inviat|verstuurd |verzonden |отправлено |\
         отправлен|skickat |sendt |sänt |lähetetty |odeslán|odoslan|elküldve |trimis |надіслано |message envoyé |\
         mensaje enviado |messaggio inviato |mensagem enviada |this email was sent |this message was sent |\
         ta wiadomość została wysłana |wiadomość wysłana |diese nachricht wurde |diese e-mail wurde |von meinem|\
         von samsung|vanaf mijn |van mijn |ce message a été envoyé |este mensaje ha sido enviado |\
         mail sent |e-mail sent |email sent |dit bericht is |composed on |typed on |written on |\
         发自|發自|从我的|從我的|来自|來自|寄自|στάλθηκε από|εστάλη από|נשלח מ|urslt mn|rslt mn|تم الإرسال من|ارسال شده از|\
         изпратено от|poslano s|poslano z|poslano iz|poslato sa|išsiųsta iš|nosūtīts no|saadetud |đã gửi từ|ส่งจาก|\
         dikirim dari|dihantar daripada|enviat des |enviat de |sendur úr|sent úr|bidalia nire|trimis de",
    )
});

/// The same at the end of a line, where the thing is named first.
static SENT_LAST: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "から送信|から送信されました|에서 보냄|에서 보냈습니다|傳送|发送|寄出|gönderildi|küldve|elküldve|से भेजा गया",
    )
});

/// The things and programs that send letters of their own accord.
static DEVICES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "iphon|ipad|ipod|android|samsung|galaxy|huawei|honor|xiaomi|redmi|nokia|lumia|blackberry|smartphone|smartfon|\
         telefon|телефон|смартфон|mobile|mobil|mobiel|móvil|celular|cellulare|handy|tablet|urządzeni|gerät|appareil|\
         dispositivo|toestel|устройств|device|outlook|yahoo|gmail|proton|bluemail|k-9|fairemail|thunderbird|airmail|\
         edison|mailbird|em client|mailspring|gmx|web.de|t-online|1&1|orange|libero|mail.ru|яндекс|yandex|wirtualn|onet|\
         interia|poczt|почт|aplikacj|mail app|mail-app|windows|phone|mailbox|alcatel|htc|xperia|motorola|oneplus|pixel|apple|macbook|\
         spark|aol|hushmail|tutanota|tuta|posteo|mailbox.org|seznam|zoho|spike|canary|nine|aqua mail|aquamail|hey.com|\
         telekom|freenet|vodafone|surface|mac|puhelime|laitteesta|手机|手機|小米|华为|華為|邮箱|大师|스마트폰|네이버|\
         acompli|mixmax|boomerang|superhuman|shortwave|front app|hiver|missive|mailspring|newton|polymail|vivo|oppo|realme",
    )
});

/// `Sent from my …` can only be followed by such a thing.
static OWN_DEVICES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "sent from my |wysłane z mojego |wysłano z mojego |wysłane z mojej |gesendet von meinem |envoyé de mon |\
         envoyé depuis mon |enviado desde mi |inviato dal mio |verstuurd vanaf mijn |verzonden vanaf mijn |\
         enviado do meu |отправлено с моего |skickat från min |sendt fra min |发自我的 |發自我的 |从我的 |從我的 |\
         στάλθηκε από το |odesláno z mého |odoslané z môjho |trimis de pe |надіслано з мого ",
    )
});

/// Lines that stand for themselves.
static PHONE_LINES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "get outlook for |pobierz outlook dla |pobierz program outlook |pobierz aplikację outlook |uzyskaj outlook dla |\
         uzyskaj aplikację outlook |outlook für ios |outlook für android |holen sie sich outlook |laden sie outlook |\
         télécharger outlook |télécharger outlook pour |obtenez outlook |obtenir outlook |obtener outlook |\
         descargar outlook |obtén outlook |scarica outlook |ottieni outlook |outlook per ios |outlook per android |\
         outlook voor ios |outlook voor android |download outlook voor |obter o outlook |obtenha o outlook |\
         baixar o outlook |скачать outlook |получить outlook |установить outlook |hämta outlook |skaffa outlook |\
         hent outlook |få outlook |hanki outlook |lataa outlook |get bluemail |get the app |yahoo mail: search, organize|\
         please excuse my brevity|please excuse the brevity|please excuse any typos|please excuse typos|\
         excuse my brevity|excuse brevity|excuse any typos|proszę wybaczyć zwięzłość|przepraszam za zwięzłość|\
         przepraszam za literówki|bitte entschuldigen sie die kürze|bitte entschuldigen sie meine kürze|\
         entschuldigen sie die kürze|veuillez excuser ma brièveté|veuillez excuser la brièveté|disculpa mi brevedad|\
         por favor, disculpa mi brevedad|perdonate la brevità|scusate la brevità|excuseer mijn beknoptheid|\
         desculpe a brevidade|простите за краткость|извините за краткость|ursäkta min fåordighet|\
         unterwegs gesendet|wysłane w drodze",
    )
});

/// How scanners praise themselves.
static SCANNERS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new("avast|avg|eset|nod32|kaspersky|norton|mcafee|bitdefender|f-secure|g data|sophos|mailscanner|clamav")
});
static SCANNED: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "virus|wirus|viren|antivir|вирус|virov|malware|scanned|przeskanowan|sprawdzon|geprüft|sig-email|checked|zabezpiecz",
    )
});
static CLEAN: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "virus-free.|virus-free |wolny od wirusów|bez wirusów|wolne od wirusów|virenfrei|libre de virus|garanti sans virus|\
         sans virus|privo di virus|mail priva di virus|senza virus|virusvrij|livre de vírus|без вирусов|не содержит вирусов|\
         virusfri|ei viruksia|bez virů|vírusmentes|this email has been checked for viruses|\
         this message has been scanned for viruses",
    )
});

/// How lists say why somebody gets a letter and how to get no more.
static LISTS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "you received this message because you are subscribed|you are receiving this because you|\
         you received this email because you are|to unsubscribe from this|to unsubscribe, |to unsubscribe send|\
         to view this discussion on|to manage your subscription|to stop receiving emails from|unsubscribe: |\
         otrzymujesz tę wiadomość, ponieważ|otrzymałeś tę wiadomość, ponieważ|otrzymujesz tego e-maila|\
         aby anulować subskrypcję|aby zrezygnować z subskrypcji|aby wypisać się z|sie erhalten diese nachricht, weil|\
         sie haben diese nachricht erhalten, weil|um sich von dieser gruppe abzumelden|wenn sie sich von dieser|\
         vous recevez ce message, car|vous recevez ce message car|vous avez reçu ce message, car|\
         pour vous désinscrire|pour vous désabonner|pour se désabonner|has recibido este mensaje porque|\
         recibiste este mensaje porque|para anular la suscripción|para cancelar la suscripción|\
         hai ricevuto questo messaggio perché|ricevi questo messaggio perché|per annullare l'iscrizione|\
         je ontvangt dit bericht omdat|u ontvangt dit bericht omdat|u hebt dit bericht ontvangen omdat|\
         je hebt dit bericht ontvangen omdat|als u zich wilt afmelden|você recebeu essa mensagem porque|\
         você recebeu esta mensagem porque|recebeu esta mensagem porque|para cancelar inscrição|\
         вы получили это сообщение, поскольку|вы получили это сообщение, потому что|чтобы отменить подписку|\
         det här meddelandet skickas till dig eftersom|du får det här meddelandet eftersom|\
         du har fått det här meddelandet|du mottar denne meldingen fordi|du fikk denne meldingen fordi|\
         du har modtaget denne besked, fordi|groups.io links",
    )
});

/// Words of a notice that calls a letter confidential.
static LEGAL: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "confidential|privileged|intended recipient|intended solely|intended only|addressee|unauthorized|unauthorised|\
         disclos|legally protected|poufn|adresat|zastrzeżon|nieuprawnion|tajemnic|niezwłocznie o tym nadawcę|\
         vertraulich|unbefugt|adressat|rechtlich geschützt|irrtümlich|confidentiel|destinataire|divulgation|\
         confidencial|destinatari|prohibid|proibid|riservat|confidenzial|vietat|vertrouwelijk|geadresseerde|\
         конфиденциальн|адресат|konfidentiell|konfidensiell|fortrolig|adressaten|luottamuksell|vastaanottaj|důvěrn|\
         in error|przez pomyłkę|par erreur|por error|per errore|abusivement|personal data|danych osobowych",
    )
});
static LETTERS: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "mail|message|wiadomość|wiadomości|korespondencj|nachricht|courriel|mensaje|correo|messaggio|bericht|mensagem|\
         сообщение|письмо|meddeland|melding|besked|viesti|transmission|communication|przesyłk",
    )
});
static NOTICES: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "disclaimer:|disclaimer |confidentiality notice|confidentiality note|legal notice:|important notice:|\
         nota prawna|klauzula poufności|klauzula informacyjna|haftungsausschluss|vertraulichkeitshinweis|\
         avis de confidentialité|clause de confidentialité|aviso legal|aviso de confidencialidad|\
         avviso di riservatezza|aviso de confidencialidade|caution: this email originated|external email:|[external]|\
         [external email]",
    )
});
static PRINTING: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "consider the environment before|think of the environment before|think before you print|before printing this|\
         pomyśl o środowisku|zanim wydrukujesz|zanim go wydrukujesz|chroń środowisko|denken sie an die umwelt|\
         bitte prüfen sie, ob diese mail|pensez à l'environnement|antes de imprimir este|prima di stampare|\
         denk aan het milieu|подумайте об окружающей среде|tänk på miljön|tenk på miljøet",
    )
});
static COMPANY: LazyLock<Phrases> = LazyLock::new(|| {
    Phrases::new(
        "krs|nip:|nip |regon|kapitał zakładowy|sąd rejonowy|handelsregister|amtsgericht|hrb |geschäftsführ|ust-id|\
         registered office|registered in england|company number|company no|vat no|siren |siret|rcs |partita iva|p.iva|kvk",
    )
});

/// What is known of a line that is not the sender's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Foot {
    Signature,
    Other,
}

/// What a line is, standing alone, if it is not the sender's.
pub(super) fn line(folded: &str) -> Option<Foot> {
    if is_phone_line(folded) {
        return Some(Foot::Signature);
    }
    (is_scanner_line(folded) || is_picture(folded)).then_some(Foot::Other)
}

/// `Sent from my iPhone`, in whatever language and from whatever client.
fn is_phone_line(folded: &str) -> bool {
    let text = without_links(folded);
    let text = text.trim_matches(|character: char| !character.is_alphanumeric());
    if text.is_empty() || text.len() > 130 {
        return false;
    }
    if PHONE_LINES.begin(&format!("{text} ")) {
        return true;
    }
    let sent_first = SENT.begin(text) && (text.contains(" from ") || !text.starts_with("sent ") || with_program(text));
    let sent_last = SENT_LAST.end(text) && text.len() <= 60;
    (sent_first && (DEVICES.count_in(text) > 0 || OWN_DEVICES.begin(text))) || (sent_last && DEVICES.count_in(text) > 0)
}

/// Whether there is nothing in a line but a link, in brackets or bare.
pub(super) fn is_link(folded: &str) -> bool {
    let text = folded.trim_matches(['<', '>', '[', ']', '(', ')', ' ']);
    !text.contains(' ') && (text.starts_with("http://") || text.starts_with("https://") || text.starts_with("www."))
}

/// Whether a line is made of signs alone: a rule, a flourish, what is left of a mark. `???` asks something, and a face or a
/// thumb says something.
pub(super) fn is_mere_signs(text: &str) -> bool {
    const SIGNS: &str = "-_=*~#.|/\\<>^:;,`'\"•·—–―─━═…│¦°«»§¤¯";
    let mut shown = text.chars().filter(|character| !character.is_whitespace() && !is_invisible(*character)).peekable();
    shown.peek().is_some() && shown.all(|character| SIGNS.contains(character))
}

/// `Sent with Proton Mail`, `Sent via the Samsung Galaxy`, `Sent using Zoho`; `sent 3 to Thera` is none of them.
fn with_program(text: &str) -> bool {
    ["sent with ", "sent via ", "sent using ", "sent by ", "sent on ", "sent through "]
        .iter()
        .any(|way| text.starts_with(way))
}

/// A line without the links in it: `<https://…>`, `(https://…)`, `[https://…]`; of `[Proton Mail](https://…)` the words stay.
fn without_links(folded: &str) -> String {
    let mut text = String::with_capacity(folded.len());
    let mut rest = folded;
    while let Some(open) = rest.find(['<', '[', '(']) {
        text.push_str(&rest[..open]);
        let close = match rest.as_bytes()[open] {
            b'<' => '>',
            b'[' => ']',
            _ => ')',
        };
        let inner = &rest[open + 1..];
        let (inside, behind) = inner.split_once(close).unwrap_or((inner, ""));
        if !(inside.contains("://") || inside.contains("www.") || inside.contains("mailto:") || inside.contains('@')) {
            text.push(' ');
            text.push_str(inside);
            text.push(' ');
        }
        rest = behind;
    }
    text.push_str(rest);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_scanner_line(folded: &str) -> bool {
    let text = folded.trim_start_matches(['-', '_', '*', ' ', '<']);
    text.starts_with("#dab4fad8-")
        || CLEAN.begin(text)
        || (SCANNERS.count_in(text) > 0 && SCANNED.count_in(text) > 0)
        || [
            "www.avast.com",
            "http://www.avast.com",
            "https://www.avast.com",
            "www.avg.com",
            "http://www.eset",
            "www.eset",
        ]
        .iter()
        .any(|link| text.starts_with(link))
}

/// The place of a picture: `[image: map.png]`, `[cid:image001.png@01D]`, `<image0.jpeg>`.
fn is_picture(folded: &str) -> bool {
    let inside = |open: char, close: char| {
        folded.strip_prefix(open).and_then(|text| text.strip_suffix(close)).filter(|text| !text.contains([open, close]))
    };
    let is_file = |text: &str| [".png", ".jpg", ".jpeg", ".gif", ".heic"].iter().any(|end| text.ends_with(end));
    match (inside('[', ']'), inside('<', '>')) {
        (Some(text), _) => {
            text.starts_with("image:") || text.starts_with("cid:") || text.starts_with("inline image") || is_file(text)
        }
        (None, Some(text)) => is_file(text),
        (None, None) => false,
    }
}

/// Whether a list speaks from this line on.
pub(super) fn begins_list_footer(folded: &str) -> bool {
    let text = folded.trim_start_matches(['-', '=', '_', '.', ',', '*', ' ']);
    let names_list = text.contains(" mailing list") && text.split(' ').count() <= 12;
    LISTS.begin(text) || (names_list && (has_contact(text) || text.ends_with(" mailing list")))
}

/// Whether a paragraph is a notice that nobody reads. After one, less is enough for the next.
pub(super) fn is_notice(paragraph: &str, after_another: bool) -> bool {
    if NOTICES.begin(paragraph.trim_start_matches(|character: char| !character.is_alphanumeric() && character != '[')) {
        return true;
    }
    let legal = LEGAL.count_in(paragraph);
    let least = if after_another { 1 } else { 2 };
    (paragraph.len() >= 80 && legal >= least && LETTERS.count_in(paragraph) > 0)
        || (after_another && paragraph.len() >= 80 && legal > 0)
        || COMPANY.count_in(paragraph) >= 2
        || (paragraph.len() < 300 && PRINTING.count_in(paragraph) > 0)
}

/// Whether these lines below bare dashes are a signature. Nothing says so but their look, so a doubt keeps them.
pub(super) fn is_signature(lines: &[(&str, &str)], sender: Option<&str>) -> bool {
    if lines.is_empty() {
        return true;
    }
    if !may_sign(lines) {
        return false;
    }
    let names = sender.unwrap_or_default();
    lines.iter().any(|(_, folded)| has_contact(folded))
        || lines.iter().any(|(_, folded)| {
            names
                .split_whitespace()
                .any(|name| name.len() > 2 && folded.split([' ', ',', '.']).any(|word| word == name))
        })
        || (lines.len() <= 5 && lines.first().is_some_and(|(text, _)| is_name(text)))
}

/// Whether so many lines may be a signature at all, and none of them has an arrow.
pub(super) fn may_sign(lines: &[(&str, &str)]) -> bool {
    lines.len() <= LONGEST_SIGNATURE && !lines.iter().any(|(_, folded)| has_arrow(folded))
}

fn has_arrow(folded: &str) -> bool {
    folded.contains("->") || folded.contains("=>") || folded.contains(" > ")
}

/// An address, a page, a telephone.
pub(super) fn has_contact(folded: &str) -> bool {
    let has_link = folded.contains("http://") || folded.contains("https://") || folded.contains("www.");
    let has_mail = folded.split_whitespace().any(|word| is_address(word.trim_matches(['<', '>', '(', ')', ',', ';'])));
    let has_label = ["tel", "phone", "mobile:", "mob.", "mob:", "kom.", "kom:", "fax", "gsm", "cell:"]
        .iter()
        .any(|label| folded.starts_with(label) && folded.bytes().any(|byte| byte.is_ascii_digit()));
    let digits = folded.bytes().filter(u8::is_ascii_digit).count();
    let letters = folded.bytes().filter(u8::is_ascii_alphabetic).count();
    has_link || has_mail || has_label || (digits >= 7 && letters <= 6)
}

/// Whether a line begins like somebody's name, two words with capitals, and is not much longer.
pub(super) fn begins_with_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    (2..=6).contains(&words.len()) && is_name(&words[..2].join(" ")) && !text.contains([':', '>', '<'])
}

/// One to four words, each with a capital: `Jan Kowalski`.
fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    (1..=4).contains(&words.len())
        && text.chars().count() <= 40
        && words.iter().all(|word| {
            let is_particle = ["de", "van", "von", "der", "di", "da", "el"].contains(word);
            is_particle || word.trim_start_matches(['(', '"']).chars().next().is_some_and(char::is_uppercase)
        })
        && !text.contains([':', ';', '='])
        && !text.chars().any(|character| character.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::super::fold::fold;
    use super::*;

    #[test]
    fn phones_are_known_in_many_languages() {
        for text in [
            "Sent from my iPhone",
            "Wysłane z iPhone'a",
            "Wysłane z mojego iPada",
            "Wysłano z telefonu Samsung Galaxy",
            "Wysłane z aplikacji mobilnej Poczta WP",
            "Wysłane z programu Poczta dla systemu Windows",
            "Get Outlook for iOS<https://aka.ms/o0ukef>",
            "Pobierz Outlook dla Androida",
            "Uzyskaj aplikację Outlook dla systemu iOS",
            "Von meinem iPhone gesendet",
            "Gesendet mit der WEB.DE Mail App",
            "Diese Nachricht wurde von meinem Android-Gerät mit K-9 Mail gesendet.",
            "Outlook für Android herunterladen",
            "Envoyé de mon iPhone",
            "Envoyé depuis l'application Mail Orange",
            "Enviado desde mi iPhone",
            "Inviato da iPhone",
            "Inviato da Libero Mail",
            "Verstuurd vanaf mijn iPhone",
            "Enviado do meu iPhone",
            "Отправлено с iPhone",
            "Отправлено из мобильной Почты Mail.ru",
            "Отправлено из Яндекс.Почты для мобильных",
            "Skickat från min iPhone",
            "Sendt fra min iPhone",
            "Lähetetty iPhonesta",
            "Sent with Proton Mail secure email.",
            "Sent from Yahoo Mail on Android",
            "Sent from my Galaxy",
            "Sent from Mail for Windows",
            "Sent from Outlook for Android",
            "Sent from my Android device with K-9 Mail. Please excuse my brevity.",
            "\u{2063}Get BlueMail for Android \u{200b}",
        ] {
            assert_eq!(line(&fold(text)), Some(Foot::Signature), "{text}");
        }
    }

    #[test]
    fn orders_stay() {
        for text in [
            "sent 3 from Crete to Thera",
            "Sent from Crete 3 tokens",
            "sail from Crete load 3 to Rhodes",
            "I sent 2 envoys",
            "wyślij 3 z Krety do Thery",
            "do Thery 3",
            "scrap ship in Crete",
            "acquire Mining, Masonry paying 3 salt",
            "Civil War: victims Egypt",
        ] {
            assert_eq!(line(&fold(text)), None, "{text}");
        }
    }

    #[test]
    fn a_signature_below_bare_dashes_must_look_like_one() {
        let is = |text: &str, sender| {
            let folded: Vec<String> = text.lines().map(fold).collect();
            let lines: Vec<(&str, &str)> = text.lines().zip(folded.iter().map(String::as_str)).collect();
            is_signature(&lines, sender)
        };
        assert!(is("Jan Kowalski", None));
        assert!(is("jan", Some("jan kowalski")));
        assert!(is("jan k.\ntel. 600 100 200", None));
        assert!(!is("build city in Sparta\ndone", None));
        assert!(!is("3 Crete > Thera", None));
    }
}
