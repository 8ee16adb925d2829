-- Adds an identity to an account. Answers when, or null where the identity is somebody's already.
-- Locks: the identity's key, by its insertion.
-- Invariant: one account has an identity (provider, realm, subject).
create or replace function add_identity(p_identity uuid, p_account uuid, p_facts identity_facts, p_rule text) returns timestamptz
language sql as $$
    insert into identities (id, account_id, provider, realm, subject, email, email_verified, email_is_relay, display_name, linked_by)
    values (p_identity, p_account, p_facts.provider, p_facts.realm, p_facts.subject, p_facts.email, p_facts.email_verified,
            p_facts.email_is_relay, p_facts.display_name, p_rule)
    on conflict on constraint identities_subject do nothing
    returning linked_at;
$$;
