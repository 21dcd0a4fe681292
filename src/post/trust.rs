//! Whom we trust when a connection is sealed.

use std::path::Path;
use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

use super::carrier::Trouble;

/// Whom we trust: what the system trusts, and one more if the settings say so.
///
/// # Errors
/// The system has no certificates, or the one of the settings cannot be read.
pub(crate) fn trust(root_certificate: Option<&Path>) -> Result<Arc<ClientConfig>, Trouble> {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if let Some(file) = root_certificate {
        let certificates = CertificateDer::pem_file_iter(file).and_then(Iterator::collect::<Result<Vec<_>, _>>);
        let (added, _) = roots.add_parsable_certificates(certificates.unwrap_or_default());
        if added == 0 {
            return Err(Trouble::Lasting(format!("there is no certificate in {}", file.display())));
        }
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|_| Trouble::Lasting("no version of TLS can be used".to_owned()))?;
    Ok(Arc::new(config.with_root_certificates(roots).with_no_client_auth()))
}
