//! Words that betray a line of talk.

/// Words of talk. A line of talk may begin with a verb of ours, and one of these and no name betrays it.
#[rustfmt::skip]
pub(crate) const TALK: &[&str] = &[
    // English.
    "along", "am", "anyone", "because", "break", "but", "can", "cant", "could", "dear", "did", "do", "does", "dont", "else", "friend",
    "friends", "going", "good", "great", "guys", "happy", "has", "he", "her", "here", "him", "his", "hope", "how", "i", "is",
    "it", "its", "just", "know", "like", "luck", "maybe", "me", "mine", "nice", "now", "our", "really", "seems", "she",
    "should", "so", "still", "than", "that", "thats", "their", "them", "there", "these", "they", "think", "this",
    "those", "time", "today", "tomorrow", "turn", "up", "us", "very", "was", "way", "we", "well", "were", "what", "when", "where",
    "who", "why", "will", "would", "you", "your", "yours", "yourself",
    // Polish, folded.
    "ale", "bardzo", "bo", "by", "byc", "byl", "byla", "bylo", "chyba", "ci", "cie", "co", "czy", "dobrze", "dzis",
    "dzisiaj", "gdzie", "go", "ich", "jak", "jednak", "jego", "jej", "jest", "jestem", "juz", "jutro", "kiedy", "kto",
    "ktory", "mam", "mi", "mnie", "moze", "my", "nam", "nas", "nasz", "nic", "niestety", "oni", "pan", "pani", "sa",
    "sie", "slowo", "sobie", "spac", "swoj", "ta", "tak", "tam", "te", "ten", "tego", "tu", "twoj", "twoja", "twoje", "ty", "tylko", "wam", "was", "wasz",
    "wiem", "ze", "zeby",
];
