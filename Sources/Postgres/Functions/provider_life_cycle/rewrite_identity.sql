-- Changes an identity from one team to another. Its tokens are deleted, because they belong to the old team. The audit
-- log keeps a digest of the old subject.
-- Locks: provider_tokens, identities, *apply_email_event. The caller holds the account.
-- Invariant: one identity has one account.
create or replace function rewrite_identity(p_who identities, p_realm text, p_subject text, p_email text, p_reason text, p_address text, p_request text)
returns void language plpgsql as $$
begin
    delete from provider_tokens where identity_id = p_who.id;
    update identities set realm = p_realm, subject = p_subject where id = p_who.id;
    if p_email is not null then
        perform apply_email_event(p_who, true, p_email, now());
    end if;
    insert into audit_inbox (action, outcome, reason, account_id, identity_id, provider, address, request_id, detail)
    values ('identity_transferred', 'done', p_reason, p_who.account_id, p_who.id, p_who.provider, p_address, p_request,
            jsonb_build_object('from', p_who.realm, 'to', p_realm,
                               'old_subject_sha256', encode(sha256(convert_to(p_who.subject, 'UTF8')), 'hex')));
end $$;
