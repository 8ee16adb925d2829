-- Inserts the row of a new identity, which the session or flow `p_session` links, with the mark `p_by` (is_put_in) or null.
-- Returns its time.
-- Locks: identities (new), *forget_address_changes, *end_guest. The caller holds the identity (lock_identity), and no
-- account has it.
-- Invariant: one identity has one account.
create or replace function insert_identity(
    p_identity uuid, p_account uuid, p_facts identity_facts, p_rule text, p_session uuid, p_by text default null) returns timestamptz
language plpgsql as $$
declare
    added timestamptz;
begin
    insert into identities (id, account_id, provider, realm, subject, email, email_verified, email_is_relay, display_name, linked_by, joined_by,
                            added_by)
    values (p_identity, p_account, p_facts.provider, p_facts.realm, p_facts.subject, p_facts.email, p_facts.email_verified,
            p_facts.email_is_relay, p_facts.display_name, p_rule, p_by, p_session)
    returning linked_at into added;
    return added;
end $$;
