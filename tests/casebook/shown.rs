//! The 51 advances, each with the page and the title of the case that shows it.

use cursus::rules::Advance;

use self::Shows::{Acquiring, CreditsOnly, Holding};

/// How a case shows an advance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shows {
    /// Somebody holds it, and its effect follows.
    Holding,
    /// It is acquired, and its effect follows at once.
    Acquiring,
    /// It has no effect but its credits, which make another advance cheaper.
    CreditsOnly,
}

/// The advance, the page, the title, and how.
#[rustfmt::skip]
pub const SHOWN: [(Advance, &str, &str, Shows); 51] = [
    (Advance::ClothMaking, "03c-ships.md", "3.21 Cloth Making: five steps", Holding),
    (Advance::Mysticism, "09c-major-2-to-5.md", "9.U2 Superstition and Mysticism", Holding),
    (Advance::Sculpture, "09d-major-6-to-9.md", "9.N1 Tyranny and Sculpture", Holding),
    (Advance::Urbanism, "05a-building.md", "5.9 Urbanism calls the neighbours", Holding),
    (Advance::Empiricism, "12a-prices.md", "12.3 Credits add up", CreditsOnly),
    (Advance::Masonry, "09d-major-6-to-9.md", "9.Y2 Cyclone and Masonry", Holding),
    (Advance::Monarchy, "01-tax.md", "1.3 Monarchy goes up only", Holding),
    (Advance::Mythology, "09c-major-2-to-5.md", "9.S2 Slave Revolt and Mythology", Holding),
    (Advance::Pottery, "09c-major-2-to-5.md", "9.F1 Famine and Pottery", Holding),
    (Advance::WrittenRecord, "12c-on-purchase.md", "12.9 Written Record", Acquiring),
    (Advance::Deism, "09c-major-2-to-5.md", "9.U2 Superstition and Deism", Holding),
    (Advance::Astronavigation, "03c-ships.md", "3.22 Astronavigation", Holding),
    (Advance::DramaAndPoetry, "09c-major-2-to-5.md", "9.W1 Civil War and Drama and Poetry", Holding),
    (Advance::Music, "09c-major-2-to-5.md", "9.W1 Civil War and Music", Holding),
    (Advance::Theocracy, "09d-major-6-to-9.md", "9.I3 Theocracy pays with water", Holding),
    (Advance::Coinage, "01-tax.md", "1.3 Coinage goes one up or one down", Holding),
    (Advance::Metalworking, "11-surplus-again.md", "11.1 Metalworking", Holding),
    (Advance::Literacy, "12a-prices.md", "12.3 Credits add up", CreditsOnly),
    (Advance::Agriculture, "05b-surplus-and-support.md", "5.12 Agriculture makes small areas larger", Holding),
    (Advance::Rhetoric, "06-cards.md", "6.12 What the Advances sell", Holding),
    (Advance::Architecture, "05a-building.md", "5.8 Architecture pays once a turn", Holding),
    (Advance::Medicine, "09d-major-6-to-9.md", "9.E1 Epidemic and Medicine", Holding),
    (Advance::Fundamentalism, "10a-abilities.md", "10.3 Fundamentalism destroys one area", Holding),
    (Advance::Law, "09d-major-6-to-9.md", "9.R2 Corruption and Law", Holding),
    (Advance::Cartography, "09d-major-6-to-9.md", "9.P2 Piracy and Cartography", Holding),
    (Advance::Diplomacy, "03d-conflict-situations.md", "3.42 Diplomacy", Holding),
    (Advance::Engineering, "09c-major-2-to-5.md", "9.V2 Engineering", Holding),
    (Advance::Enlightenment, "09d-major-6-to-9.md", "9.G4 Regression and Enlightenment", Holding),
    (Advance::NavalWarfare, "03c-ships.md", "3.23 Naval Warfare: six aboard", Holding),
    (Advance::UniversalDoctrine, "10a-abilities.md", "10.3 Universal Doctrine and a pirate city", Holding),
    (Advance::Military, "03a-sequence.md", "3.5 Military moves last", Holding),
    (Advance::Calendar, "09d-major-6-to-9.md", "9.Y2 Cyclone and Calendar", Holding),
    (Advance::Monument, "12c-on-purchase.md", "12.9 Monument", Acquiring),
    (Advance::TradeRoutes, "10a-abilities.md", "10.3 Trade Routes pay double", Holding),
    (Advance::Democracy, "01-tax.md", "1.11 Democracy knows no revolt", Holding),
    (Advance::Library, "09d-major-6-to-9.md", "9.G2 Regression and Library", Holding),
    (Advance::Philosophy, "09d-major-6-to-9.md", "9.I2 Iconoclasm and Philosophy", Holding),
    (Advance::Roadbuilding, "03b-tokens.md", "3.8 Roadbuilding", Holding),
    (Advance::Mining, "12b-payment.md", "12.5 Mining", Holding),
    (Advance::Politics, "10a-abilities.md", "10.3 Politics on an area", Holding),
    (Advance::PublicWorks, "05b-surplus-and-support.md", "5.12 One may live in the city with Public Works", Holding),
    (Advance::AdvancedMilitary, "09d-major-6-to-9.md", "9.D2 Civil Disorder and Advanced Military", Holding),
    (Advance::Monotheism, "10a-abilities.md", "10.3 Monotheism annexes a city and its token", Holding),
    (Advance::Mathematics, "12a-prices.md", "12.3 Never below zero", CreditsOnly),
    (Advance::Theology, "09d-major-6-to-9.md", "9.I2 Iconoclasm and Theology", Holding),
    (Advance::ProvincialEmpire, "10a-abilities.md", "10.3 Provincial Empire, by land and by water", Holding),
    (Advance::TradeEmpire, "12b-payment.md", "12.10 Trade Empire fills a set", Holding),
    (Advance::Anatomy, "09d-major-6-to-9.md", "9.E2 Epidemic, Medicine and Anatomy of the others", Holding),
    (Advance::Diaspora, "10a-abilities.md", "10.3 Diaspora", Holding),
    (Advance::CulturalAscendancy, "05b-surplus-and-support.md", "5.14 Cultural Ascendancy needs three for each", Holding),
    (Advance::WonderOfTheWorld, "13-ast.md", "13.2 Wonder of the World is a city", Holding),
];
