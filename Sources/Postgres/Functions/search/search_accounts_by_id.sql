-- Accounts with an exactly matching id or provider subject, and those of a request by its reference. No id looks like a
-- reference, so the audit log is read for references alone.
-- Locks: none
create or replace function search_accounts_by_id(p_text text) returns table (found text, account_id uuid) language plpgsql stable as $$
declare
    id_ uuid;
begin
    return query select 'subject'::text, i.account_id from identities i where i.subject = p_text order by i.account_id limit 20;
    if p_text ~* '^[0-9a-hjkmnp-tv-z]{13}(\.|$)' then
        return query
            select distinct 'reference'::text, e.account_id from audit_events e
             where e.request_id = lower(left(p_text, 13)) || substr(p_text, 14) and e.account_id is not null limit 20;
        return;
    end if;
    begin
        id_ := p_text::uuid;
    exception when invalid_text_representation then
        return;
    end;
    return query select 'account'::text, a.id from accounts a where a.id = id_;
    return query select 'session'::text, s.account_id from sessions s where s.id = id_;
    return query select 'identity'::text, i.account_id from identities i where i.id = id_;
end $$;
