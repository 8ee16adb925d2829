-- Accounts with an exactly matching id or provider subject.
-- Locks: none
create or replace function search_accounts_by_id(p_text text) returns table (found text, account_id uuid) language plpgsql stable as $$
declare
    id_ uuid;
begin
    return query select 'subject'::text, i.account_id from identities i where i.subject = p_text order by i.account_id limit 20;
    begin
        id_ := p_text::uuid;
    exception when invalid_text_representation then
        return;
    end;
    return query select 'account'::text, a.id from accounts a where a.id = id_;
    return query select 'session'::text, s.account_id from sessions s where s.id = id_;
    return query select 'identity'::text, i.account_id from identities i where i.id = id_;
end $$;
